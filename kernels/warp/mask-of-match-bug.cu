//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2

// Planted bug: only the leaders come to the shuffle.

__global__ void places(const int *key, int *count, int *place) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  unsigned same = __match_any_sync(0xffffffff, key[i]);
  int leader = __ffs(same) - 1;
  int base = 0;
  if (lane == leader) {
    base = atomicAdd(&count[key[i]], __popc(same));
    base = __shfl_sync(same, base, leader);
  }
  __syncthreads();
  place[i] = base;
}
