//pass
//--blockDim=64 --gridDim=4

// No precondition says that the counter is 0 at launch: the verdict assumes it.

__global__ void last(int *part, unsigned *count, int *sum) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      total += part[i];
    sum[0] = total;
  }
}
