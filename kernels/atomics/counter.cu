//pass
//--blockDim=64 --gridDim=2

// Counts the elements above a threshold.

__global__ void count(const float *in, int *counter, float threshold) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] > threshold)
    atomicAdd(counter, 1);
}
