//pass
//--blockDim=64 --gridDim=2

// The CUDA version of convert-int-float.cl: integers to float, rounded to nearest even.

__global__ void int_to_float(float *out, const int *a, const unsigned long long *b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[4 * i + 0] = (float)a[i];
  out[4 * i + 1] = __uint2float_rn((unsigned)a[i]);
  out[4 * i + 2] = static_cast<float>(b[i]);
  out[4 * i + 3] = (float)(long long)b[i] + (float)(signed char)a[i];
}
