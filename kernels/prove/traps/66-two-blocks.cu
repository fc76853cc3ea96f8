//prove:unproven
//

// Another block writes a cell, for one m that no run tries.

//@ requires gridDim.x == 2 && 0 <= T && blockDim.x == n && 2 <= n && n < 1000;
//@ ensures \forall int x; 0 <= x <= n ==> a[x] == \old(a[x]);
__global__ void k(int *a, int T, int n, int m) {
  int t = threadIdx.x, b = blockIdx.x;
  //@ loop invariant blockIdx.x == 0 ==> \forall int x; 0 <= x <= n ==> a[x] == \old(a[x]);
  for (int k = 0; k < T; k++) {
    int v = b == 0 ? a[t] : 5;
    __syncthreads();
    if (b == 0) { a[t] = v; }
    if (b == 1 && t == 0 && m == 123456789) { a[n] = v; }
    __syncthreads();
  }
}
