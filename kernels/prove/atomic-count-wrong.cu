//prove:refuted
//

// Zeros count as well.
//@ requires 0 <= n <= \threads;
//@ ensures c[0] == (int)(\old(c[0]) + \count(int j; 0 <= j < n; a[j] > 0));
__global__ void positive(int *c, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] >= 0) {
    atomicAdd(c, 1);
  }
}
