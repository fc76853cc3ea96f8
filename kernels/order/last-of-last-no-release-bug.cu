//xfail:NOT_ALL_VERIFIED
//--blockDim=8 --gridDim=4
//race

// The last thread of a block passes nothing on: it has no fence between the two counters.

__global__ void last(unsigned *done, int *part, int *sum) {
  __requires(*done == 0);
  __shared__ unsigned here;
  if (threadIdx.x == 0)
    here = 0;
  __syncthreads();
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  __threadfence();
  if (atomicAdd_block(&here, 1u) == blockDim.x - 1) {
    if (atomicAdd(done, 1u) == gridDim.x - 1) {
      __threadfence();
      int total = 0;
      for (unsigned i = 0; i < gridDim.x * blockDim.x; i++)
        total += part[i];
      sum[0] = total;
    }
  }
}
