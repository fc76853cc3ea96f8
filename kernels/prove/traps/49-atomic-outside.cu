//prove:unproven
//

// A thread far off adds an element that the sum does not have.
//@ requires 0 <= n <= \threads;
//@ ensures c[0] == (int)(\old(c[0]) + \sum(int j; 0 <= j < n; a[j]));
__global__ void outside(int *c, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n || i == 100000) {
    atomicAdd(c, a[i]);
  }
}
