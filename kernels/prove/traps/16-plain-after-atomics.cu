//prove:unproven
//

// A cell that threads add to is set as well: the additions before do not count.
//@ requires gridDim.x == 1 && 0 <= n <= blockDim.x;
//@ ensures c[0] == (int)(\old(c[0]) + \count(int j; 0 <= j < n; a[j] > 0));
__global__ void plain(int *c, const int *a, int n) {
  if (threadIdx.x < n && a[threadIdx.x] > 0) {
    atomicAdd(c, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0 && n == 1000) {
    c[0] = 0;
  }
}
