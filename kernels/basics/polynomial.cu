//pass
//--blockDim=64 --gridDim=2

// Evaluates a polynomial with coefficients in constant memory.

__constant__ float coefficients[4];

__device__ float horner(float x) {
  float y = 0.0f;
  for (int i = 3; i >= 0; i--)
    y = y * x + coefficients[i];
  return y;
}

__global__ void evaluate(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = horner(x[i]);
}
