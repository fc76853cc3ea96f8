//prove:refuted
//

// Nothing moves.

//@ requires gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < blockDim.x ==> a[j] == \old(a[j + 1]);
//@ assigns a[0 .. blockDim.x - 1];
__global__ void shift(int *a) {
  int v = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = v;
}
