//pass
//--blockDim=64 --gridDim=2

// The CUDA version of float-arith.cl: no product is fused with a sum.

__global__ void float_arith(float *out, const float *a, const float *b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], y = b[i];
  out[5 * i + 0] = x + y;
  out[5 * i + 1] = x - y;
  out[5 * i + 2] = x * y;
  out[5 * i + 3] = x * y + x;
  out[5 * i + 4] = (x + y) * (x - y) - x * x;
}
