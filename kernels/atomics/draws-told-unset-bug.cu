//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=8
//race

// Only later does a thread draw: the first piece is whatever the variable holds.

__global__ void work(int *next, int *out, int n) {
  __shared__ int item;
  while (true) {
    int own = item;
    __syncthreads();
    if (threadIdx.x == 0)
      item = atomicAdd(next, 1);
    __syncthreads();
    if (own < 0 || own >= n)
      return;
    out[own * 32 + threadIdx.x] = blockIdx.x;
  }
}
