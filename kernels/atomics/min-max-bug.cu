//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// A test before the atomic reads the cell without one.

__global__ void extremes(const int *in, int *low, int *high) {
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (v < *low)
    atomicMin(low, v);
  atomicMax(high, v);
}
