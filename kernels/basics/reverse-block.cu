//pass
//--blockDim=64 --gridDim=2

// Reverses each block's elements through shared memory.

__global__ void reverse(int *d) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int base = blockIdx.x * blockDim.x;
  s[t] = d[base + t];
  __syncthreads();
  d[base + t] = s[blockDim.x - 1 - t];
}
