//prove:refuted
//

// Equal elements count as well.

//@ requires n <= \threads;
//@ ensures \forall unsigned j; j < n ==> (c[j] != 0) == (a[j] > b[j]);
//@ ensures \forall unsigned j; j < n && a[j] > b[j] ==> c[j] == 1;
__global__ void compare(unsigned char *c, const int *a, const int *b, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { c[i] = a[i] >= b[i]; }
}
