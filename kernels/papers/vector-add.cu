//pass
//--blockDim=16 --gridDim=4

// Functional correctness, appendix A.1.

__global__ void vector_add(const float *A, const float *B, float *C, int numElements) {
  __requires(numElements == 192);
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  while (i < numElements) {
    C[i] = A[i] + B[i];
    i += blockDim.x * gridDim.x;
  }
}
