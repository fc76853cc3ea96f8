//prove:proved
//

// One block alone adds.
//@ requires 0 <= n <= blockDim.x;
//@ ensures c[0] == (int)(\old(c[0]) + \sum(int j; 0 <= j < n; a[j]));
__global__ void once(int *c, const int *a, int n) {
  if (threadIdx.x < n && blockIdx.x == 0) {
    atomicAdd(c, a[threadIdx.x]);
  }
}
