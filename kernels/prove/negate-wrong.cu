//prove:refuted
//

// The complement is one less.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == -a[j];
//@ assigns c[0 .. n-1];
__global__ void negate(int *c, const int *a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = ~a[i];
}
