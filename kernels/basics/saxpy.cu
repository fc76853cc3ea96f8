//pass
//--blockDim=64 --gridDim=4

// One element per thread, guarded by the length; n is any number.

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
