//prove:proved
//

// Equal numbers are equal.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == b[j];
__global__ void k(unsigned *c, const unsigned *a, const unsigned *b, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] == b[i] ? a[i] : b[i];
}
