//pass
//--blockDim=32 --gridDim=8

// The first thread of a block draws the next piece of work and tells the others.

__global__ void work(int *next, int *out, int n) {
  __shared__ int item;
  while (true) {
    if (threadIdx.x == 0)
      item = atomicAdd(next, 1);
    __syncthreads();
    int own = item;
    __syncthreads();
    if (own >= n)
      return;
    out[own * 32 + threadIdx.x] = blockIdx.x;
  }
}
