//xfail:NOT_ALL_VERIFIED
//--blockDim=16 --gridDim=4
//race

// The sum is taken in place with a stride that is one block short.

__global__ void vector_add(const float *A, const float *B, float *C, int numElements) {
  __requires(numElements == 192);
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  while (i < numElements) {
    C[i] += A[i];
    i += blockDim.x * (gridDim.x - 1);
  }
}
