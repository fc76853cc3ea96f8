//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=8
//race

// The counter is set back when all is done, while others still draw.

__global__ void work(int *next, int *out, int n) {
  __shared__ int item;
  while (true) {
    if (threadIdx.x == 0)
      item = atomicAdd(next, 1);
    __syncthreads();
    int own = item;
    __syncthreads();
    if (own >= n) {
      if (threadIdx.x == 0)
        atomicExch(next, 0);
      return;
    }
    out[own * 32 + threadIdx.x] = blockIdx.x;
  }
}
