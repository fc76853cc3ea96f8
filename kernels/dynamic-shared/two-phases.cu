//pass
//--blockDim=32 --gridDim=1

// The same memory is used for two purposes, one after the other.

__global__ void phases(const int *in, int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  int v = s[t ^ 3];
  __syncthreads();
  short *pairs = (short *)s;
  pairs[t] = (short)v;
  __syncthreads();
  out[t] = pairs[31 - t];
}
