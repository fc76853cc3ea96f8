//prove:refuted
//

// The branch that comes first in the text runs last.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) for (int m = 0; m < 2; m++) {
    if (m == 1) c[i] = 7;
    if (m == 0) c[i] = a[i];
  }
}
