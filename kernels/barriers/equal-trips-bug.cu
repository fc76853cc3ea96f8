//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//barrier-divergence

// The length is no multiple of the block, so the first threads go round once more.

__global__ void accumulate(const int *in, int *out, int n) {
  __requires(n == 120);
  __shared__ int s[32];
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = in[i];
    __syncthreads();
    sum += s[31 - threadIdx.x];
    __syncthreads();
  }
  s[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
