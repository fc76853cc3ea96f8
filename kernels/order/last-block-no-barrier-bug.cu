//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// All threads write, and nothing orders their writes before the fence of the thread that counts.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ bool is_last;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned i = 0; i < gridDim.x * blockDim.x; i++)
      total += part[i];
    sum[0] = total;
  }
}
