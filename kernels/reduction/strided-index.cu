//pass
//--blockDim=64 --gridDim=2

// Tree reduction in which the active threads are contiguous and the index is strided.

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[64];
  unsigned tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    unsigned index = 2 * k * tid;
    if (index < blockDim.x)
      s[index] += s[index + k];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = s[0];
}
