//prove:unproven
//

// Twice a number is twice another also if they differ by half of all numbers.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == b[j];
__global__ void k(unsigned *c, const unsigned *a, const unsigned *b, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = 2 * a[i] == 2 * b[i] ? a[i] : b[i];
}
