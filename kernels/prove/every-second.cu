//prove:proved
//

// Cells that nobody writes keep their value.

//@ requires 0 <= n && 2 * n <= INT_MAX && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[2 * j] == 1;
//@ ensures \forall int j; 0 <= j < n ==> c[2 * j + 1] == \old(c[2 * j + 1]);
__global__ void every_second(int *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[2 * i] = 1;
}
