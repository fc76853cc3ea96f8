//xfail:UNPROVEN
//--blockDim=64 --gridDim=* --check-array-bounds

// Signed arithmetic overflows in a later iteration of every run, though not in the first
// one: that there is no overflow is no assumption under which anything is worth proving.
// A run that overflows is no witness either.

__global__ void generator(int *out) {
  __shared__ int h[64];
  int x = threadIdx.x;
  for (int i = 0; i < 100; i++) {
    x = x * 1103515245 + 12345;
    h[x % 64] = 1;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = h[threadIdx.x];
}
