//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//write-write-race

// The guard on the result is lost, and so is the block in its index.

__global__ void matvec(const float *m, const float *v, float *out) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = m[blockIdx.x * 32 + t] * v[t];
  __syncthreads();
  for (int k = 16; k > 0; k >>= 1) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  out[0] = s[0] + blockIdx.x;
}
