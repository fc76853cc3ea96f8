//pass
//--blockDim=64 --gridDim=* --check-array-bounds

// The same in unsigned arithmetic, which wraps around.

__global__ void generator(int *out) {
  __shared__ int h[64];
  unsigned x = threadIdx.x;
  for (int i = 0; i < 100; i++) {
    x = x * 1103515245 + 12345;
    h[x % 64] = 1;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = h[threadIdx.x];
}
