//prove:unproven
//

// The loop keeps what is stated, but it is not true where the loop is entered, for one m that no run tries.

//@ requires gridDim.x == 1 && 0 <= T && blockDim.x == n && 2 <= n;
//@ logic float u(int k, int x) = k <= 0 ? \old(a[x])
//@   : x == 0 || x == n - 1 ? u(k - 1, x) : u(k - 1, x - 1) + u(k - 1, x + 1);
//@ ensures \forall int x; 0 <= x < n ==> a[x] == u(T, x);
__global__ void steps(float *a, int T, int n, int m) {
  int t = threadIdx.x;
  if (m == 123456789) { a[t] = 1; }
  __syncthreads();
  //@ loop invariant \forall int x; 0 <= x < n ==> a[x] == u(loop_count, x);
  for (int k = 0; k < T; k++) {
    float v = a[t];
    if (t > 0 && t < n - 1) { v = a[t - 1] + a[t + 1]; }
    __syncthreads();
    a[t] = v;
    __syncthreads();
  }
}
