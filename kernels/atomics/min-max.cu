//pass
//--blockDim=64 --gridDim=2

// Extremes of an array by atomics.

__global__ void extremes(const int *in, int *low, int *high) {
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicMin(low, v);
  atomicMax(high, v);
}
