//prove:unproven
//

// Each element is read by two blocks, so it is added twice; only large launches show it.
//@ requires 0 <= n <= blockDim.x;
//@ ensures c[0] == (int)(\old(c[0]) + \sum(int j; 0 <= j < n; a[j]));
__global__ void twice(int *c, const int *a, int n) {
  if (threadIdx.x < n && blockIdx.x % 1000 == 0) {
    atomicAdd(c, a[threadIdx.x]);
  }
}
