//xfail:NOT_ALL_VERIFIED
//
//race

// The stride is one block, not the grid: blocks meet in the next round.
__global__ void scale(float *a, float factor, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    a[i] *= factor;
}
