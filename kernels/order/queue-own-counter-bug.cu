//xfail:NOT_ALL_VERIFIED
//--blockDim=2 --gridDim=3
//race

// Places are drawn from a counter of each block, but flags are common to all blocks.

__global__ void queue(int *q, int *ready, int *out) {
  __shared__ unsigned tail;
  if (threadIdx.x == 0)
    tail = 0;
  __syncthreads();
  if (blockIdx.x < 2) {
    unsigned i = atomicAdd(&tail, 1u);
    q[blockIdx.x * 2 + i] = i;
    __threadfence();
    atomicExch(ready + i, 1);
  } else {
    unsigned j = threadIdx.x;
    while (atomicAdd(ready + j, 0) != 1)
      ;
    __threadfence();
    out[j] = q[j];
  }
}
