//pass
//--blockDim=64 --gridDim=2

// The CUDA version of float-fma.cl: rounded once.

__global__ void float_fma(float *out, const float *a, const float *b, const float *c) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float p = a[i] * b[i];
  out[3 * i + 0] = fmaf(a[i], b[i], c[i]);
  out[3 * i + 1] = __fmaf_rn(a[i], b[i], -p);
  out[3 * i + 2] = fma(-c[i], b[i], 1.0f);
}
