//pass
//--blockDim=64 --gridDim=2

// The CUDA version of arith-int.cl: both must leave the same numbers.

__global__ void arith_int(int *out, const int *a, const int *b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = a[i] >> 8;
  int y = b[i] >> 8;
  int *o = out + 6 * i;
  o[0] = x + y;
  o[1] = x - y;
  o[2] = (x >> 9) * (y >> 9);
  o[3] = -x;
  o[4] = min(x, y);
  o[5] = (x & y) | (~x & 0x0f0f0f0f);
}
