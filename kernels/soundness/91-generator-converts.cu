//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=* --check-array-bounds
//out-of-bounds

// Unsigned sums are put into a signed variable and become negative in a later iteration.
// A conversion is not undefined, so a run that shows the negative index counts.

__global__ void generator(int *out) {
  __shared__ int h[64];
  int x = threadIdx.x;
  for (int i = 0; i < 100; i++) {
    x = x + 123456789u;
    h[x % 64] = 1;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = h[threadIdx.x];
}
