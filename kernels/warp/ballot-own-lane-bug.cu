//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Planted bug: the bit is that of the next lane.

__global__ void places(const int *in, int *out) {
  int lane = threadIdx.x & 31;
  int hit = in[threadIdx.x] > 0;
  unsigned hits = __ballot_sync(0xffffffff, hit);
  int seen = hits >> ((lane + 1) & 31) & 1;
  out[threadIdx.x + (seen != hit ? 1 : 0)] = threadIdx.x;
}
