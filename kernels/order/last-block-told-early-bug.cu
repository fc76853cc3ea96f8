//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// The others look at what the first thread tells before the barrier.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    is_last = atomicAdd(count, 1u) == gridDim.x - 1;
    __threadfence();
  }
  bool mine = is_last;
  __syncthreads();
  if (mine && threadIdx.x < gridDim.x)
    sum[threadIdx.x] = part[threadIdx.x];
}
