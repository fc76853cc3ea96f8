//pass
//--blockDim=64 --gridDim=1

// All threads store the same number of rows to skip.

__global__ void other_constant(int *out, int rows) {
  __shared__ int skip[64];
  unsigned t = threadIdx.x;
  skip[t] = rows;
  __syncthreads();
  out[64 * skip[63 - t] + t] = t;
}
