//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The range is twice as wide as the part.

__global__ void other_range(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ int shift[64];
  unsigned t = threadIdx.x;
  shift[t] = in[t] & 31;
  __syncthreads();
  out[16 * t + shift[63 - t]] = t;
}
