//prove:unproven
//

// The thread that would have written had returned: the cell was written by nobody, which no run shows.

//@ requires blockDim.x == 8 && gridDim.x == 1 && n == 3;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j ^ 1];
__global__ void k(int *c, const int *a, int n) {
  __shared__ int s[8];
  if (threadIdx.x >= n) return;
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  c[threadIdx.x] = s[threadIdx.x ^ 1];
}
