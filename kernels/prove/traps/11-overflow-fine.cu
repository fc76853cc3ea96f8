//prove:proved
//--strict

// The wrapped sum needs no assumption.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == (int)(a[j] + b[j]);
__global__ void k(int *c, const int *a, const int *b, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
