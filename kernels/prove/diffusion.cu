//prove:proved
//

// One step of a 1-D diffusion with a halo in shared memory.

//@ requires n == blockDim.x * gridDim.x && 1 < n;
//@ ensures fn[0] == c0*(f[0] + f[1]) + c1*f[0];
//@ ensures fn[n-1] == c0*(f[n-2] + f[n-1]) + c1*f[n-1];
//@ ensures \forall int j; 0 < j < n-1 ==> fn[j] == c0*(f[j-1] + f[j+1]) + c1*f[j];
__global__ void diffusion(float *fn, const float *f, float c0, float c1, int n) {
  extern __shared__ float fs[];
  int js = threadIdx.x + 1;
  int j = blockDim.x * blockIdx.x + threadIdx.x;
  fs[js] = f[j];
  if (threadIdx.x == 0) fs[0] = (blockIdx.x == 0) ? f[j] : f[j - 1];
  if (threadIdx.x == blockDim.x - 1) fs[js + 1] = (blockIdx.x == gridDim.x - 1) ? f[j] : f[j + 1];
  __syncthreads();
  fn[j] = c0 * (fs[js - 1] + fs[js + 1]) + c1 * fs[js];
}
