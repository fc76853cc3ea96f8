//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// Half of the threads have a fence behind their data; nobody has one behind the barrier.

__global__ void last(unsigned *count, int *part, int *out) {
  __requires(*count == 0);
  __shared__ bool is_last;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32)
    __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(count, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last)
    out[threadIdx.x] = part[(blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x];
}
