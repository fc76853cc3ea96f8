//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// The counter is reset between two draws, so a first draw and a second draw may be equal.

__global__ void reset(unsigned *counter, int *out) {
  unsigned first = atomicAdd(counter, 1u);
  __syncthreads();
  if (threadIdx.x == 0)
    *counter = 0;
  __syncthreads();
  unsigned second = threadIdx.x < 16 ? first : atomicAdd(counter, 1u);
  __syncthreads();
  out[first] = threadIdx.x;
  if (threadIdx.x >= 16)
    out[second] = 1000 + threadIdx.x;
}
