//prove:unproven
//

// The counter wraps before it reaches the largest limit.

//@ requires n == UINT_MAX;
//@ ensures \forall unsigned j; j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, unsigned n) {
  for (unsigned m = blockDim.x * blockIdx.x + threadIdx.x; m < n; m += 5) { c[m] = a[m]; }
}
