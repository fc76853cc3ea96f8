//xfail:NOT_ALL_VERIFIED
//--blockDim=16 --gridDim=1
//barrier-divergence

// The guard is no longer relative to the first value.

__global__ void uniform_guard(const int *in, int *out) {
  __shared__ int s[16];
  int sum = 0;
  for (int i = threadIdx.x; i < 60; i += 16) {
    s[threadIdx.x] = in[i];
    __syncthreads();
    sum += s[15 - threadIdx.x];
    __syncthreads();
  }
  s[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = s[15 - threadIdx.x];
}
