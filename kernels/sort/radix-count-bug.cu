//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// The counts of different blocks share their slots.

#define RADIX 16

__global__ void count(const unsigned *keys, unsigned *counts, int shift) {
  __requires(shift == 4);
  __shared__ unsigned local[RADIX];
  if (threadIdx.x < RADIX)
    local[threadIdx.x] = 0;
  __syncthreads();
  unsigned key = keys[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&local[(key >> shift) & (RADIX - 1)], 1);
  __syncthreads();
  if (threadIdx.x < RADIX)
    counts[threadIdx.x + blockIdx.x] = 100 * blockIdx.x + threadIdx.x;
}
