//pass
//--blockDim=16 --gridDim=4

// Functional correctness, section 4.3: the same for a grid of blocks.

__global__ void array_copy(const int *a, int *b, int len) {
  __requires(len == 640);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < len) {
    b[i] = a[i];
    i = i + blockDim.x * gridDim.x;
  }
}
