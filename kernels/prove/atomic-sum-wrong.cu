//prove:refuted
//

// The last element is left out.
//@ requires 0 <= n <= \threads;
//@ ensures c[0] == (int)(\old(c[0]) + \sum(int j; 0 <= j < n; a[j]));
__global__ void total(int *c, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) {
    atomicAdd(c, a[i]);
  }
}
