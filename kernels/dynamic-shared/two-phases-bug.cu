//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//race

// The second use starts while others still read for the first.

__global__ void phases(const int *in, int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  int v = s[t ^ 3];
  short *pairs = (short *)s;
  pairs[t] = (short)v;
  __syncthreads();
  out[t] = pairs[31 - t];
}
