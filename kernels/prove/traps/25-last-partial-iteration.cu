//prove:refuted
//

// The iteration that leaves the loop writes too.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) for (int m = 0;; m++) {
    c[i] = m ? 7 : a[i];
    if (m == 1) break;
  }
}
