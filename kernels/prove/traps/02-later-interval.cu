//prove:refuted
//

// A later interval writes the cell again.

//@ requires n == blockDim.x && gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n) {
  c[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) c[0] = 7;
}
