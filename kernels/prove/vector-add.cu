//prove:proved
//

// Grid-stride, for any number of elements.

//@ requires 0 <= n && n + \threads <= INT_MAX;
//@ ensures \forall int j; 0 <= j < n ==> C[j] == A[j] + B[j];
//@ assigns C[0 .. n-1];
__global__ void vectorAdd(const float *A, const float *B, float *C, int n) {
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) { C[i] = A[i] + B[i]; }
}
