//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//mask-excludes-self

// Planted bug: the upper half names a mask without itself and learns nothing.

__global__ void places(const int *in, int *out) {
  int lane = threadIdx.x & 31;
  int hit = in[threadIdx.x] > 0;
  unsigned hits = __ballot_sync(0x0000ffff, hit);
  int seen = hits >> lane & 1;
  out[threadIdx.x + (seen != hit ? 1 : 0)] = threadIdx.x;
}
