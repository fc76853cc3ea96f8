//pass
//--blockDim=32 --gridDim=1

// Without the reset all draws are distinct.

__global__ void reset(int *counter, int *out) {
  int first = atomicAdd(counter, 1);
  __syncthreads();
  int second = atomicAdd(counter, 1);
  __syncthreads();
  out[first] = threadIdx.x;
  out[second] = 1000 + threadIdx.x;
}
