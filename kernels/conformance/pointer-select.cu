//pass
//--blockDim=64 --gridDim=2

// The CUDA version of pointer-select.cl: a reference to a pointer, chosen by data.

__device__ void other(int *&p, int *x, int *y) { p = p == x ? y : x; }

__global__ void pointer_select(int *x, int *y, const int *a, const int *b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int *src = a[i] < b[i] ? a : b;
  int *dst = a[i] & 1 ? x : y;
  dst[i] = src[i];
  other(dst, x, y);
  dst[i] = ~src[i ^ 1];
}
