//prove:unproven
//

// The loop does not end, so nothing is said of what follows.

//@ requires 0 < n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == 8;
__global__ void k(int *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  while (n > 0) { }
  if (i < n) c[i] = 7;
}
