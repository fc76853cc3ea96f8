//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The leaders of the two warps add without an atomic.

__global__ void count(const int *in, int *total) {
  unsigned hits = __ballot_sync(0xffffffff, in[threadIdx.x] > 0);
  if ((threadIdx.x & 31) == 0)
    *total += __popc(hits);
}
