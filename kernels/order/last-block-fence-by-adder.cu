//pass
//--blockDim=32 --gridDim=3

// The thread that adds has the fence, behind the barrier.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ bool is_last;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(count, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last)
    sum[threadIdx.x] = part[(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x];
}
