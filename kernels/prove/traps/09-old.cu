//prove:refuted
//

// The cell to the right has changed too.

//@ requires gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < blockDim.x ==> a[j] == a[j + 1];
__global__ void k(int *a) {
  int v = a[threadIdx.x + 1];
  __syncthreads();
  a[threadIdx.x] = v;
}
