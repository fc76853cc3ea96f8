//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The range is one too large.

__global__ void own_range(int *out, const unsigned *in) {
  __shared__ unsigned bin[64];
  unsigned t = threadIdx.x;
  bin[t] = in[t] % 9;
  __syncthreads();
  out[8 * t + bin[t]] = t;
}
