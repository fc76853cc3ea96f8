//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The numbers of rows differ.

__global__ void other_constant(int *out, int rows) {
  __shared__ int skip[64];
  unsigned t = threadIdx.x;
  skip[t] = t;
  __syncthreads();
  out[skip[63 - t] + t] = t;
}
