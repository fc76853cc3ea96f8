//pass
//--blockDim=16 --gridDim=1

// Functional correctness, figure 1: one block copies an array of a multiple of its size.

__global__ void array_copy(const int *a, int *b, int len) {
  __requires(len == 80);
  int i = threadIdx.x;
  while (i < len) {
    b[i] = a[i];
    i = i + blockDim.x;
  }
}
