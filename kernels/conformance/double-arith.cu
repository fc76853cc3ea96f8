//pass
//--blockDim=64 --gridDim=2

// The CUDA version of double-arith.cl: double precision, each operation rounded on its own.

__global__ void double_arith(double *out, const double *a, const double *b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i], y = b[i];
  out[6 * i + 0] = x + y;
  out[6 * i + 1] = x * y - x;
  out[6 * i + 2] = x / y;
  out[6 * i + 3] = sqrt(fabs(x));
  out[6 * i + 4] = fma(x, y, -1.0);
  out[6 * i + 5] = floor(x) + rint(y) + trunc(x * 0.5);
}
