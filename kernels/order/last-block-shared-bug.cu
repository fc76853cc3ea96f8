//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// The counter is in shared memory: each block finds that it is the last.

__global__ void last(int *part, int *total) {
  __shared__ unsigned done;
  if (threadIdx.x == 0)
    done = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x;
    __threadfence();
    if (atomicAdd(&done, 1u) == 0) {
      __threadfence();
      for (unsigned b = 0; b < gridDim.x; b++)
        total[blockIdx.x] += part[b];
    }
  }
}
