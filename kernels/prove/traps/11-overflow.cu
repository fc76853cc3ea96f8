//prove:unproven
//--strict

// The sum may overflow, which --strict does not assume away.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j] + b[j];
__global__ void k(int *c, const int *a, const int *b, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
