//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//barrier-divergence

// The barrier is inside the branch that only some threads take.

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[64];
  int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int k = 1; k < blockDim.x; k *= 2) {
    if (tid % (2 * k) == 0) {
      s[tid] += s[tid + k];
      __syncthreads();
    }
  }
  __syncthreads();
  if (tid == 0)
    out[blockIdx.x] = s[0];
}
