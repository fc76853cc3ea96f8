//prove:unproven
//

// The outer loop goes round without a barrier where the inner one has no iteration.

//@ requires n <= blockDim.x && gridDim.x == 1 && 0 <= m <= 100;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n, int m) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  for (int p = 0; p < 2; p++) {
    for (int q = 0; q < m; q++) { __syncthreads(); }
    s[t] = a[t];
  }
  if (t < n) { c[t] = s[t]; }
}
