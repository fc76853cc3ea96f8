//pass
//--blockDim=64 --gridDim=1

// The sum of 64 such elements fits.

__global__ void one_too_many(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t] < 0x3ffffffu ? in[t] : 0x3ffffffu;
  __cell_invariant(s, k, k >= 64 | s[k] <= 0x3ffffffu);
  __syncthreads();
  __assert(__sum_add(s, 0, t) <= __sum_add(s, 0, t + 1));
  out[t] = s[t];
}
