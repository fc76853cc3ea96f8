//prove:proved
//

// Two steps, to and fro between two buffers.

//@ requires gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < blockDim.x ==> a[j] == (int)(\old(a[j]) + 2);
__global__ void k(int *a, int *b) {
  int t = threadIdx.x;
  b[t] = a[t] + 1;
  __syncthreads();
  a[t] = b[t] + 1;
}
