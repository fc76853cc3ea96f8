__global__ void reduce(float *out, const float *in) {
  __requires(__is_pow2(blockDim.x));
  extern __shared__ float s[];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  // Without it the check of any size takes k = 0, after 32 doublings, for possible.
  for (unsigned k = 1; __invariant(k != 0), k < blockDim.x; k *= 2) {
    unsigned i = 2 * k * t;
    if (i < blockDim.x) s[i] += s[i + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
