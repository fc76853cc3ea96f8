//prove:proved
//

// What is read is what this iteration stored.

//@ requires gridDim.x == 1 && blockDim.x == 2 && 0 < n && n <= 1000;
//@ ensures \forall int j; 0 <= j < 2 ==> c[j] == a[1 - j];
__global__ void k(int *c, const int *a, int n) {
  __shared__ int s[2];
  int t = threadIdx.x;
  s[t] = a[t];
  for (int p = 0; p < n; p++) {
    __syncthreads();
  }
  __syncthreads();
  s[t] = a[t];
  __syncthreads();
  c[t] = s[1 - t];
}
