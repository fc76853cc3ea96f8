//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The sum of 63 such elements fits, that of 64 may wrap.

__global__ void one_too_many(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t] < 0x4000000u ? in[t] : 0x4000000u;
  __cell_invariant(s, k, k >= 64 | s[k] <= 0x4000000u);
  __syncthreads();
  __assert(__sum_add(s, 0, t) <= __sum_add(s, 0, t + 1));
  out[t] = s[t];
}
