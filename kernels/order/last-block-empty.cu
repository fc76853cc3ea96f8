//pass
//--blockDim=32 --gridDim=3

// Blocks without work do not count, so none is the last: nothing is read too early.

__global__ void last(int *part, unsigned *count, int *sum, int n) {
  __requires(*count == 0);
  __shared__ bool is_last;
  if (blockIdx.x >= n)
    return;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(count, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0)
    for (int i = 0; i < gridDim.x * blockDim.x; i++)
      sum[0] += part[i];
}
