//pass
//--blockDim=64 --gridDim=* --check-array-bounds

// A hundred sums of this size fit the variable.

__global__ void generator(int *out) {
  __shared__ int h[64];
  int x = threadIdx.x;
  for (int i = 0; i < 100; i++) {
    x = x + 12345678u;
    h[x % 64] = 1;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = h[threadIdx.x];
}
