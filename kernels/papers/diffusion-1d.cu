//pass
//--blockDim=32 --gridDim=4

// Functional correctness, appendix A.3: the ends of the rod are mirrored.

__global__ void diffusion(const float *f, float *fn, int n, float c0, float c1) {
  __requires(n == 128);
  __shared__ float fs[34];
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  fs[threadIdx.x + 1] = f[i];
  if (threadIdx.x == 0)
    fs[0] = blockIdx.x == 0 ? fs[1] : f[i - 1];
  if (threadIdx.x == blockDim.x - 1)
    fs[threadIdx.x + 2] = blockIdx.x == gridDim.x - 1 ? fs[threadIdx.x + 1] : f[i + 1];
  __syncthreads();
  fn[i] = c0 * (fs[threadIdx.x] + fs[threadIdx.x + 2]) + c1 * fs[threadIdx.x + 1];
}
