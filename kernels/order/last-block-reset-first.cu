//pass
//--blockDim=64 --gridDim=4

// The first block puts 0 there once more, whatever the others have added by then: perhaps nobody
// is last, but whoever is has seen all.

__global__ void last(unsigned *count, int *part, int *out) {
  __requires(*count == 0);
  __shared__ bool is_last;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    atomicExch(count, 0u);
  part[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(count, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last)
    out[threadIdx.x] = part[threadIdx.x];
}
