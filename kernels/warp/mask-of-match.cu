//pass
//--blockDim=64 --gridDim=2

// One lane adds for all lanes with the same key, and tells them what it got.

__global__ void places(const int *key, int *count, int *place) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  unsigned same = __match_any_sync(0xffffffff, key[i]);
  int leader = __ffs(same) - 1;
  int base = 0;
  if (lane == leader)
    base = atomicAdd(&count[key[i]], __popc(same));
  base = __shfl_sync(same, base, leader);
  place[i] = base + __popc(same & ((1u << lane) - 1));
}
