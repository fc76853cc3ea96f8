//pass
//--blockDim=64 --gridDim=1

// That a sum fits its type follows from what is claimed of the elements: 64 of at most 3.

__global__ void fits(unsigned char *out, const unsigned char *in) {
  __shared__ unsigned char s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t] & 3;
  __cell_invariant(s, k, k >= 64 | s[k] <= 3);
  __syncthreads();
  __assert(__sum_noovfl(s, 0, 64));
  out[t] = s[63 - t];
}
