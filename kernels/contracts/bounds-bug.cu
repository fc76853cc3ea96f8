//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --check-array-bounds
//out-of-bounds

// The array has no room for the right halo.

__global__ void halo(const int *in, int *out) {
  __shared__ int s[65];
  int t = threadIdx.x;
  s[t + 1] = in[t];
  if (t == 0) {
    s[0] = 0;
    s[65] = 0;
  }
  __syncthreads();
  out[t] = s[t] + s[t + 1] + s[t + 2];
}
