//xfail:UNPROVEN
//--blockDim=16 --gridDim=1

// On the way down the operands are in the wrong order. No run knows what the
// operator yields.

__operator(op, int, 0, __associative);

#define LOW(x) ((x) & (0u - (x)))

__global__ void blelloch(int *out, const int *in) {
  __shared__ int s[32];
  unsigned t = threadIdx.x;
  const unsigned n = 2 * blockDim.x;
  unsigned off = 1;
  s[2 * t] = in[2 * t];
  s[2 * t + 1] = in[2 * t + 1];
  for (unsigned d = n >> 1; d > 0; d >>= 1) {
    __cell_invariant(s, k,
        k >= n | s[k] == __sum_op(in, k + 1 - __ite(LOW(k + 1) < off, LOW(k + 1), off), k + 1));
    __syncthreads();
    if (t < d) {
      unsigned ai = off * (2 * t + 1) - 1;
      unsigned bi = off * (2 * t + 2) - 1;
      s[bi] = op(s[ai], s[bi]);
    }
    off *= 2;
  }
  if (t == 0)
    s[n - 1] = 0;
  for (unsigned d = 1; d < n; d *= 2) {
    off >>= 1;
    __cell_invariant(s, k,
        k >= n | s[k] == __ite(((k + 1) & (2 * off - 1)) != 0,
                               __sum_op(in, k + 1 - LOW(k + 1), k + 1),
                               __sum_op(in, 0, k + 1 - 2 * off)));
    __syncthreads();
    if (t < d) {
      unsigned ai = off * (2 * t + 1) - 1;
      unsigned bi = off * (2 * t + 2) - 1;
      int v = s[ai];
      int w = s[bi];
      s[ai] = w;
      s[bi] = op(v, w);
    }
  }
  __cell_invariant(s, k, k >= n | s[k] == __sum_op(in, 0, k));
  __syncthreads();
  __assert(s[t] == __sum_op(in, 0, t));
  out[2 * t] = s[2 * t];
  out[2 * t + 1] = s[2 * t + 1];
}
