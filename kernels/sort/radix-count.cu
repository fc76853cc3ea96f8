//pass
//--blockDim=64 --gridDim=2

// The counting half of a radix step: digits are counted per block with shared atomics.

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
    counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}
