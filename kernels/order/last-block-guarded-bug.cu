//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// Whether a thread takes part is decided by its own number: the others have written, too.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ bool is_last;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  if (gridDim.x > 1 + threadIdx.x) {
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
