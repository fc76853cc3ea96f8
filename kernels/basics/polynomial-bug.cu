//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2

// The kernel writes constant memory.

__constant__ float coefficients[64];

__device__ float horner(float x) {
  float y = 0.0f;
  for (int i = 3; i >= 0; i--)
    y = y * x + coefficients[i];
  return y;
}

__global__ void evaluate(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = horner(x[i]);
  coefficients[threadIdx.x] = x[i];
}
