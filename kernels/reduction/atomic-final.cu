//pass
//--blockDim=64 --gridDim=4

// Blocks reduce alone, then add their sums to one total.

__global__ void reduce(const int *in, int *total) {
  __shared__ int s[64];
  int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int k = 32; k > 0; k >>= 1) {
    if (tid < k)
      s[tid] += s[tid + k];
    __syncthreads();
  }
  if (tid == 0)
    atomicAdd(total, s[0]);
}
