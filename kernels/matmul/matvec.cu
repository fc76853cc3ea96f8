//pass
//--blockDim=32 --gridDim=4

// One block per row; the products are reduced in shared memory.

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
  if (t == 0)
    out[blockIdx.x] = s[0];
}
