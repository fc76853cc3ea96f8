//pass
//--blockDim=64 --gridDim=2

// A histogram per block in shared memory, merged at the end.

#define BINS 64

__global__ void histogram(const unsigned *data, unsigned *bins) {
  __shared__ unsigned local[BINS];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    unsigned value = data[(blockIdx.x * 4 + i) * blockDim.x + threadIdx.x];
    atomicAdd(&local[value % BINS], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
