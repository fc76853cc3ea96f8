//prove:unproven
//

// No launch meets the precondition.

//@ requires n < 0 && 0 < n;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = 7;
}
