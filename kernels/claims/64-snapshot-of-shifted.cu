//xfail:UNPROVEN
//--blockDim=64 --gridDim=1

// As 62-snapshot-fine, but the element is another one.

__global__ void increment(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  __shared__ unsigned before[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  __array_snapshot(before, s);
  unsigned v = s[(t + 1) & 63];
  __syncthreads();
  s[t] = v + 1;
  __cell_invariant(s, k, k >= 64 | s[k] == before[k] + 1);
  __syncthreads();
  out[t] = s[63 - t];
}
