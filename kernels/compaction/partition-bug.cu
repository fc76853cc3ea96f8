//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// Both kinds go to the same array, each by its own counter.

__global__ void partition(const int *in, int *small, int *large, unsigned *counts, int pivot) {
  int x = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (x < pivot)
    small[atomicAdd(&counts[0], 1u)] = x;
  else
    small[atomicAdd(&counts[1], 1u)] = x;
}
