//pass
//--blockDim=64 --gridDim=2

// One atomic per warp reserves room for all lanes that keep their element.

__global__ void append(const int *in, int *out, unsigned *count) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  bool keep = in[gid] > 0;
  unsigned votes = __ballot_sync(0xffffffff, keep);
  unsigned base = 0;
  if (lane == 0)
    base = atomicAdd(count, (unsigned)__popc(votes));
  base = __shfl_sync(0xffffffff, base, 0);
  if (keep)
    out[base + __popc(votes & ((1u << lane) - 1))] = in[gid];
}
