//pass
//--blockDim=32 --gridDim=4

// The next piece of work is fetched under a lock and told to the block.

__global__ void work(int *next, int *lock, int *out, int n) {
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0) {
      while (atomicCAS(lock, 0, 1) != 0)
        ;
      __threadfence();
      item = *next;
      *next = item + 1;
      __threadfence();
      atomicExch(lock, 0);
    }
    __syncthreads();
    int own = item;
    __syncthreads();
    if (own >= n)
      break;
    if (threadIdx.x == 0)
      atomicAdd(out + own, 1);
  }
}
