//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// 64 elements of at most 7 need not fit a byte.

__global__ void fits(unsigned char *out, const unsigned char *in) {
  __shared__ unsigned char s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t] & 7;
  __cell_invariant(s, k, k >= 64 | s[k] <= 7);
  __syncthreads();
  __assert(__sum_noovfl(s, 0, 64));
  out[t] = s[63 - t];
}
