//prove:proved
//

// A rod of any length by blocks of any size, whose ends are mirrored.

//@ requires n == blockDim.x * gridDim.x && 1 < n;
//@ ensures fn[0] == c0*(f[0] + f[1]) + c1*f[0];  ensures fn[n-1] == c0*(f[n-2] + f[n-1]) + c1*f[n-1];
//@ ensures \forall int j; 0 < j < n-1 ==> fn[j] == c0*(f[j-1] + f[j+1]) + c1*f[j];
__global__ void diffusion(const float *f, float *fn, int n, float c0, float c1) {
  extern __shared__ float fs[];
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  fs[threadIdx.x + 1] = f[i];
  if (threadIdx.x == 0)
    fs[0] = blockIdx.x == 0 ? fs[1] : f[i - 1];
  if (threadIdx.x == blockDim.x - 1)
    fs[threadIdx.x + 2] = blockIdx.x == gridDim.x - 1 ? fs[threadIdx.x + 1] : f[i + 1];
  __syncthreads();
  fn[i] = c0 * (fs[threadIdx.x] + fs[threadIdx.x + 2]) + c1 * fs[threadIdx.x + 1];
}
