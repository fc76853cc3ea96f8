//pass
//--blockDim=32 --gridDim=4

// The first addition happens while loading, so every block covers twice its size.

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[32];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x * 2 + tid;
  s[tid] = in[i] + in[i + blockDim.x];
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    __syncthreads();
    if (tid < k)
      s[tid] += s[tid + k];
  }
  if (tid == 0)
    out[blockIdx.x] = s[0];
}
