//prove:refuted
//

// Iterations that do not happen.

//@ requires 0 <= n && n + \threads <= INT_MAX;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n) {
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    if (a[i] < 0) break;
    c[i] = a[i];
  }
}
