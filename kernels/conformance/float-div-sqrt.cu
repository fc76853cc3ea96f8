//pass
//--blockDim=64 --gridDim=2

// The CUDA version of float-div-sqrt.cl: division and square root, correctly rounded.

__global__ void float_div_sqrt(float *out, const float *a, const float *b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[4 * i + 0] = a[i] / b[i];
  out[4 * i + 1] = __frcp_rn(a[i]);
  out[4 * i + 2] = sqrtf(fabsf(a[i]));
  out[4 * i + 3] = sqrt(b[i] * b[i]) / 3.0f;
}
