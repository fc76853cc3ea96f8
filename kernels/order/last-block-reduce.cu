//pass
//--blockDim=64 --gridDim=4

// Each block reduces its part in shared memory; all threads of the last block reduce the parts.

__device__ int reduced(int *tile, int value) {
  tile[threadIdx.x] = value;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s)
      tile[threadIdx.x] += tile[threadIdx.x + s];
    __syncthreads();
  }
  int sum = tile[0];
  __syncthreads();
  return sum;
}

__global__ void last(const int *in, int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ int tile[64];
  __shared__ bool is_last;
  int own = reduced(tile, in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = own;
    __threadfence();
    is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last) {
    int value = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
      value += part[i];
    int total = reduced(tile, value);
    if (threadIdx.x == 0)
      sum[0] = total;
  }
}
