//prove:unproven
//

// After a thousand iterations the shared cell holds something else.

//@ requires gridDim.x == 1 && blockDim.x == 2 && 0 < n;
//@ ensures \forall int j; 0 <= j < 2 ==> c[j] == a[1 - j];
__global__ void k(int *c, const int *a, int n) {
  __shared__ int s[2];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int p = 0; p < n; p++) {
    if (p == 1000) { s[t] = 0; }
    __syncthreads();
  }
  c[t] = s[1 - t];
}
