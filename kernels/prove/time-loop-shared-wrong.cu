//prove:refuted
//

// The last step is not made.

//@ requires gridDim.x == 1 && 0 <= T && blockDim.x == n && 2 <= n;
//@ logic float u(int k, int x) = k <= 0 ? \old(a[x])
//@   : x == 0 || x == n - 1 ? u(k - 1, x) : u(k - 1, x - 1) + u(k - 1, x + 1);
//@ ensures \forall int x; 0 <= x < n ==> a[x] == u(T, x);
__global__ void steps(float *a, int T, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  //@ loop invariant \forall int x; 0 <= x < n ==> s[x] == u(loop_count, x);
  for (int k = 0; k < T - 1; k++) {
    float v = s[t];
    if (t > 0 && t < n - 1) { v = s[t - 1] + s[t + 1]; }
    __syncthreads();
    s[t] = v;
    __syncthreads();
  }
  a[t] = s[t];
}
