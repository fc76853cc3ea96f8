//pass
//--gridDim=1

// Blelloch's exclusive scan. On the way up an element that ends a part of the input is the
// sum of that part; on the way down the elements at which the tree is cut hold what comes
// before their part.

// The operator and the type of the elements can be chosen: -DMAX, -DOR or -DABSTRACT (an operator
// of which only the laws are known), -DT=TYPE.

#ifndef T
#define T unsigned
#endif
#if defined(MAX)
#define SUM __sum_max
#define OP(a, b) ((a) > (b) ? (a) : (b))
#elif defined(OR)
#define SUM __sum_or
#define OP(a, b) ((T)((a) | (b)))
#elif defined(ABSTRACT)
__operator(op, T, 0, __associative);
#define SUM __sum_op
#define OP(a, b) op(a, b)
#else
#define SUM __sum_add
#define OP(a, b) ((T)((a) + (b)))
#endif

#define LOW(x) ((x) & (0u - (x)))

__global__ void blelloch(T *out, const T *in) {
  __shared__ T s[2048];
  __requires(__is_pow2(blockDim.x));
  unsigned t = threadIdx.x;
  const unsigned n = 2 * blockDim.x;
  unsigned off = 1;
  s[2 * t] = in[2 * t];
  s[2 * t + 1] = in[2 * t + 1];
  for (unsigned d = n >> 1; d > 0; d >>= 1) {
    __cell_invariant(s, k,
        k >= n | s[k] == SUM(in, k + 1 - __ite(LOW(k + 1) < off, LOW(k + 1), off), k + 1));
    __syncthreads();
    if (t < d) {
      unsigned ai = off * (2 * t + 1) - 1;
      unsigned bi = off * (2 * t + 2) - 1;
      s[bi] = OP(s[ai], s[bi]);
    }
    off *= 2;
  }
  if (t == 0)
    s[n - 1] = 0;
  for (unsigned d = 1; d < n; d *= 2) {
    off >>= 1;
    __cell_invariant(s, k,
        k >= n | s[k] == __ite(((k + 1) & (2 * off - 1)) != 0,
                               SUM(in, k + 1 - LOW(k + 1), k + 1),
                               SUM(in, 0, k + 1 - 2 * off)));
    __syncthreads();
    if (t < d) {
      unsigned ai = off * (2 * t + 1) - 1;
      unsigned bi = off * (2 * t + 2) - 1;
      T v = s[ai];
      T w = s[bi];
      s[ai] = w;
      s[bi] = OP(w, v);
    }
  }
  __cell_invariant(s, k, k >= n | s[k] == SUM(in, 0, k));
  __syncthreads();
  __assert(s[t] == SUM(in, 0, t));
  out[2 * t] = s[2 * t];
  out[2 * t + 1] = s[2 * t + 1];
}
