//pass
//--blockDim=16 --gridDim=1

// Blelloch's exclusive scan with the bits of 64-bit numbers. On the way up an element that
// ends a part of the input is the sum of that part; on the way down the elements at which
// the tree is cut hold what comes before their part.

#define LOW(x) ((x) & (0u - (x)))

__global__ void blelloch(unsigned long long *out, const unsigned long long *in) {
  __shared__ unsigned long long s[32];
  unsigned t = threadIdx.x;
  const unsigned n = 2 * blockDim.x;
  unsigned off = 1;
  s[2 * t] = in[2 * t];
  s[2 * t + 1] = in[2 * t + 1];
  for (unsigned d = n >> 1; d > 0; d >>= 1) {
    __cell_invariant(s, k,
        k >= n | s[k] == __sum_or(in, k + 1 - __ite(LOW(k + 1) < off, LOW(k + 1), off), k + 1));
    __syncthreads();
    if (t < d) {
      unsigned ai = off * (2 * t + 1) - 1;
      unsigned bi = off * (2 * t + 2) - 1;
      s[bi] |= s[ai];
    }
    off *= 2;
  }
  if (t == 0)
    s[n - 1] = 0;
  for (unsigned d = 1; d < n; d *= 2) {
    off >>= 1;
    __cell_invariant(s, k,
        k >= n |
            __implies(((k + 1) & (2 * off - 1)) != 0, s[k] == __sum_or(in, k + 1 - LOW(k + 1), k + 1)) &
                __implies(((k + 1) & (2 * off - 1)) == 0, s[k] == __sum_or(in, 0, k + 1 - 2 * off)));
    __syncthreads();
    if (t < d) {
      unsigned ai = off * (2 * t + 1) - 1;
      unsigned bi = off * (2 * t + 2) - 1;
      unsigned long long v = s[ai];
      s[ai] = s[bi];
      s[bi] |= v;
    }
  }
  __cell_invariant(s, k, k >= n | s[k] == __sum_or(in, 0, k));
  __syncthreads();
  __assert(s[t] == __sum_or(in, 0, t));
  out[2 * t] = s[2 * t];
  out[2 * t + 1] = s[2 * t + 1];
}
