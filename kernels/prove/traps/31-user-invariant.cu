//prove:unproven
//

// The invariant speaks of threads that are still there.

//@ requires n == 1 && blockDim.x == 2 && gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < 2 ==> c[j] == 7;
__global__ void k(int *c, int n) {
  if (threadIdx.x >= n) return;
  //@ loop invariant threadIdx.x < n;
  for (int m = 0; m < 2; m++) { __syncthreads(); }
  c[threadIdx.x] = 7;
}
