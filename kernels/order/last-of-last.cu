//pass
//--blockDim=8 --gridDim=4

// The last thread of each block, by a counter of the block, draws from a counter of the grid. The
// first fence need not reach beyond the block: the second passes on all that came before it.

__global__ void last(unsigned *done, int *part, int *sum) {
  __requires(*done == 0);
  __shared__ unsigned here;
  if (threadIdx.x == 0)
    here = 0;
  __syncthreads();
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  __threadfence_block();
  if (atomicAdd_block(&here, 1u) == blockDim.x - 1) {
    __threadfence();
    if (atomicAdd(done, 1u) == gridDim.x - 1) {
      __threadfence();
      int total = 0;
      for (unsigned i = 0; i < gridDim.x * blockDim.x; i++)
        total += part[i];
      sum[0] = total;
    }
  }
}
