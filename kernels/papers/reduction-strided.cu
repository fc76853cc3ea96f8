//pass
//--blockDim=64 --gridDim=1

// Parametric equivalence, section 4.5: the second loop, without the modulo.

__global__ void reduce(int *out, const int *in) {
  __shared__ int sdata[64];
  unsigned tid = threadIdx.x;
  sdata[tid] = in[tid];
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    unsigned index = 2 * k * tid;
    if (index < blockDim.x)
      sdata[index] += sdata[index + k];
    __syncthreads();
  }
  if (tid == 0)
    *out = sdata[0];
}
