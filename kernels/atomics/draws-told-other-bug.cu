//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=8
//race

// Every fourth block begins with the piece 0, which another one draws.

__global__ void work(int *next, int *out, int n) {
  __shared__ int item;
  for (int turn = 0; turn <= n; turn++) {
    if (threadIdx.x == 0) {
      item = atomicAdd(next, 1);
      if (turn == 0 && blockIdx.x % 4 == 3)
        item = 0;
    }
    __syncthreads();
    int own = item;
    __syncthreads();
    if (own >= n)
      return;
    out[own * 32 + threadIdx.x] = blockIdx.x;
  }
}
