//prove:refuted
//

// What the contract says at the loop is said of threads that get there.

//@ requires n == 1 && blockDim.x == 2 && gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < 2 ==> c[j] == 7;
__global__ void k(int *c, int n) {
  if (threadIdx.x >= n) return;
  int x = 0;
  //@ loop invariant threadIdx.x < n;
  for (int m = 0; m < 2; m++) { x += 7; }
  c[threadIdx.x] = x - 7;
}
