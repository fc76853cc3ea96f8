//pass
//--blockDim=64 --gridDim=2

// Two counters and two outputs: small elements to the one, large ones to the other.

__global__ void partition(const int *in, int *small, int *large, unsigned *counts, int pivot) {
  int x = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (x < pivot)
    small[atomicAdd(&counts[0], 1u)] = x;
  else
    large[atomicAdd(&counts[1], 1u)] = x;
}
