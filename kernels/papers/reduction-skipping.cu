//pass
//--blockDim=64 --gridDim=1

// Parametric equivalence, section 4.5, as printed: the distance is quartered, which is free of races but no sum.

__global__ void reduce(int *out, const int *in) {
  __shared__ int sdata[64];
  unsigned tid = threadIdx.x;
  sdata[tid] = in[tid];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 2) {
    if (tid % (2 * k) == 0)
      sdata[tid] += sdata[tid + k];
    __syncthreads();
  }
  if (tid == 0)
    *out = sdata[0];
}
