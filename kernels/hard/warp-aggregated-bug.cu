//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// Room is reserved for one element per warp.

__global__ void append(const int *in, int *out, unsigned *count) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  bool keep = (in[gid] & 15) != 0;
  unsigned votes = __ballot_sync(0xffffffff, keep);
  unsigned base = 0;
  if (lane == 0)
    base = atomicAdd(count, 1u);
  base = __shfl_sync(0xffffffff, base, 0);
  if (keep)
    out[base + __popc(votes & ((1u << lane) - 1))] = in[gid];
}
