//prove:proved
//

// A length that is a multiple of four, said by a number that the kernel does not have.
//@ ghost int m;
//@ requires 0 <= m && n == 4 * m && n <= \threads;
//@ ensures \forall int j; 0 <= j < 4 * m ==> c[j] == a[j];
__global__ void copy(int *c, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i];
  }
}
