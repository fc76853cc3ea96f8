//prove:unproven
//

// An element far off is not added.
//@ requires 0 <= n <= \threads;
//@ ensures c[0] == (int)(\old(c[0]) + \sum(int j; 0 <= j < n; a[j]));
__global__ void missing(int *c, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i != 100000) {
    atomicAdd(c, a[i]);
  }
}
