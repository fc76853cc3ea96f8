//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-divergence

// Threads return in different rounds; what they wrote in their last one is read by others
// after the barrier of that round.

__global__ void returned(int *to) {
  __shared__ int row[64];
  row[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < 64; i++) {
    row[threadIdx.x] = i;
    if (threadIdx.x == i)
      return;
    __syncthreads();
    to[threadIdx.x] = row[(threadIdx.x + 1) % 64];
    __syncthreads();
  }
}
