//xfail:UNPROVEN
//--blockDim=64 --gridDim=*
//race

// A sum for every number of blocks: only a fence behind the draw is missing.

__global__ void last(const float *in, float *part, unsigned *count, unsigned n) {
  __requires(*count == 0);
  __shared__ float tile[64];
  __shared__ bool is_last;
  float own = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    own += in[i];
  tile[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (unsigned i = 0; i < blockDim.x; i++)
      sum += tile[i];
    part[blockIdx.x] = sum;
  }
  __threadfence();
  if (threadIdx.x == 0)
    is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (is_last) {
    float value = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
      value += part[i];
    tile[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
      float sum = 0;
      for (unsigned i = 0; i < blockDim.x; i++)
        sum += tile[i];
      part[0] = sum;
      *count = 0;
    }
  }
}
