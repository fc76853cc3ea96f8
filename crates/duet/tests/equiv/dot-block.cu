// A scalar product by a block of 8, 16, … threads: each goes through the row with the stride of
// the block, and a tree adds up what they have. ACCN must be a power of two.
#ifndef T
#define T int
#endif
#ifndef ACCN
#define ACCN 8
#endif

__global__ void dot(T *out, const T *a, const T *b, int rows, int n) {
  __requires(blockDim.x == ACCN);
  __shared__ T s[ACCN];
  int row = blockIdx.x, t = threadIdx.x;
  if (row >= rows) return;
  const T *x = a + n * row, *y = b + n * row;
  T sum = 0;
  for (int k = t; k < n; k += ACCN) sum += x[k] * y[k];
  s[t] = sum;
  __syncthreads();
  for (int k = ACCN / 2; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[row] = s[0];
}
