//prove:unproven
//

// A loop between two barriers writes the cell again, for one m that no run tries.

//@ requires gridDim.x == 1 && n == blockDim.x && n <= 64 && 0 <= m;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == 1;
__global__ void k(int *c, int n, int m) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 1;
  __syncthreads();
  for (int k = 0; k < (m == 123456789 ? 2 : 0); k++) { s[t] = 7; }
  __syncthreads();
  c[t] = s[t];
}
