//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//barrier-divergence

// The barrier is in the strided loop, which does not go round equally often for all threads.

__global__ void reduce(const float *in, float *partial, int n) {
  __requires(n == 777);
  __shared__ float s[32];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    sum += in[i];
    __syncthreads();
  }
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    partial[blockIdx.x] = s[0];
}
