//prove:unproven
//

// After the loop and a barrier another thread writes the cell, for one m that no run tries.

//@ requires gridDim.x == 1 && n == blockDim.x && n <= 64 && 0 <= m;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n, int m) {
  int t = threadIdx.x;
  for (int k = 0; k < 1; k++) { c[t] = a[t]; }
  __syncthreads();
  if (t == 0 && n > 1 && m == 123456789) { c[n - 1] = 9; }
}
