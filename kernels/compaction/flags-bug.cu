//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// The flags of 64 threads share one word, which each thread writes whole.

__global__ void mark(const int *data, int *flag, int threshold) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  flag[i / 64] = i;
}
