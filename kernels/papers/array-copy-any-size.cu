//pass
//--blockDim=* --gridDim=*

// Functional correctness, section 4.3, for every length and every launch.

__global__ void array_copy(const int *a, int *b, int len) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < len) {
    b[i] = a[i];
    i = i + blockDim.x * gridDim.x;
  }
}
