//prove:unproven
//

// The loop is left after a loop within it has stored, for one m that no run tries.

//@ requires gridDim.x == 1 && n == blockDim.x && n <= 64 && 0 <= m;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == 1;
__global__ void k(int *c, int n, int m) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 1;
  __syncthreads();
  for (int k = 0; k < 3; k++) {
    for (int l = 0; l < (m == 123456789 ? 1 : 0); l++) { s[t] = 7; }
    if (k == 2) { break; }
    __syncthreads();
  }
  __syncthreads();
  c[t] = s[t];
}
