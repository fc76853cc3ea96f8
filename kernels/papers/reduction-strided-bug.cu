//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//read-write-race

// Neighbouring threads share an operand.

__global__ void reduce(int *out, const int *in) {
  __shared__ int sdata[64];
  unsigned tid = threadIdx.x;
  sdata[tid] = in[tid];
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    unsigned index = k * tid;
    if (index + k < blockDim.x)
      sdata[index] += sdata[index + k];
    __syncthreads();
  }
  if (tid == 0)
    *out = sdata[0];
}
