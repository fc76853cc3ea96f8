//pass
//--blockDim=64 --gridDim=*

// Whether there is a last block is decided by the number of blocks, as in a well-known sample:
// where there is only one, its threads return before the barrier.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ bool is_last;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  if (gridDim.x > 1) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
      __threadfence();
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
      int total = 0;
      for (unsigned i = 0; i < gridDim.x; i++)
        total += part[i * blockDim.x + 7];
      sum[0] = total;
    }
  }
}
