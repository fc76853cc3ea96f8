//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The greatest of no signed numbers is the least number, not 0.

__global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.x;
  __assert(__sum_max(in, t, t) == 0);
  out[t] = in[t];
}
