//xfail:NOT_ALL_VERIFIED
//--blockDim=16 --gridDim=1
//race

// The array is copied onto itself, one element on.

__global__ void array_copy(const int *a, int *b, int len) {
  __requires(len == 80);
  int i = threadIdx.x;
  while (i < len) {
    b[i] = b[i + 1];
    i = i + blockDim.x;
  }
}
