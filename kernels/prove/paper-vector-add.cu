//prove:proved
//

// Functional correctness, appendix A.1, with the step mended.

//@ ghost int m;
//@ requires 0 <= m && numElements == m * blockDim.x * gridDim.x && numElements + \threads <= INT_MAX;
//@ ensures \forall int i; 0 <= i < numElements ==> C[i] == A[i] + B[i];
__global__ void vectorAdd(const float *A, const float *B, float *C, int numElements) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  while (i < numElements) {
    C[i] = A[i] + B[i];
    i += blockDim.x * gridDim.x;
  }
}
