//pass
//--blockDim=32 --gridDim=1

// Without the reset all draws are distinct.

__global__ void reset(unsigned *counter, int *out) {
  unsigned first = atomicAdd(counter, 1u);
  __syncthreads();
  unsigned second = threadIdx.x < 16 ? first : atomicAdd(counter, 1u);
  __syncthreads();
  out[first] = threadIdx.x;
  if (threadIdx.x >= 16)
    out[second] = 1000 + threadIdx.x;
}
