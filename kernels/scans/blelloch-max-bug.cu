//xfail:NOT_ALL_VERIFIED
//--blockDim=16 --gridDim=1

// On the way down the lesser is taken. On the way up an element that ends a part of the
// input is the sum of that part; on the way down the elements at which the tree is cut
// hold what comes before their part.

#define LOW(x) ((x) & (0u - (x)))

__global__ void blelloch(unsigned char *out, const unsigned char *in) {
  __shared__ unsigned char s[32];
  unsigned t = threadIdx.x;
  const unsigned n = 2 * blockDim.x;
  unsigned off = 1;
  s[2 * t] = in[2 * t];
  s[2 * t + 1] = in[2 * t + 1];
  for (unsigned d = n >> 1; d > 0; d >>= 1) {
    __cell_invariant(s, k,
        k >= n | s[k] == __sum_max(in, k + 1 - __ite(LOW(k + 1) < off, LOW(k + 1), off), k + 1));
    __syncthreads();
    if (t < d) {
      unsigned ai = off * (2 * t + 1) - 1;
      unsigned bi = off * (2 * t + 2) - 1;
      s[bi] = s[ai] > s[bi] ? s[ai] : s[bi];
    }
    off *= 2;
  }
  if (t == 0)
    s[n - 1] = 0;
  for (unsigned d = 1; d < n; d *= 2) {
    off >>= 1;
    __cell_invariant(s, k,
        k >= n | s[k] == __ite(((k + 1) & (2 * off - 1)) != 0,
                               __sum_max(in, k + 1 - LOW(k + 1), k + 1),
                               __sum_max(in, 0, k + 1 - 2 * off)));
    __syncthreads();
    if (t < d) {
      unsigned ai = off * (2 * t + 1) - 1;
      unsigned bi = off * (2 * t + 2) - 1;
      unsigned char v = s[ai];
      unsigned char w = s[bi];
      s[ai] = w;
      s[bi] = v < w ? v : w;
    }
  }
  __cell_invariant(s, k, k >= n | s[k] == __sum_max(in, 0, k));
  __syncthreads();
  __assert(s[t] == __sum_max(in, 0, t));
  out[2 * t] = s[2 * t];
  out[2 * t + 1] = s[2 * t + 1];
}
