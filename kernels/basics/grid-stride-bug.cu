//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// The stride is the block's width instead of the grid's, so blocks overlap.

__global__ void scale(float *a, float factor, int n) {
  __requires(n == 1000);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x)
    a[i] *= factor;
}
