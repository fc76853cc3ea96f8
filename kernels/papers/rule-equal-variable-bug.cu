//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Planted bug: neighbours start with different values.

__global__ void equal_variable(int *out) {
  __shared__ int s[128];
  int base = threadIdx.x % 2;
  for (int k = 0; k < 4; k++) {
    s[threadIdx.x + base] = threadIdx.x;
    __syncthreads();
    base += 2;
  }
  out[threadIdx.x] = s[threadIdx.x];
}
