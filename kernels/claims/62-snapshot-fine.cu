//pass
//--blockDim=64 --gridDim=1

// What the array held before it was changed is kept for annotations: each element is
// incremented, and the claim relates the two.

__global__ void increment(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  __shared__ unsigned before[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  __array_snapshot(before, s);
  unsigned v = s[t];
  __syncthreads();
  s[t] = v + 1;
  __cell_invariant(s, k, k >= 64 | s[k] == before[k] + 1);
  __syncthreads();
  unsigned w = s[63 - t];
  __unsafe_assert(w == before[63 - t] + 1);
  out[t] = w;
}
