//pass
//--blockDim=64 --gridDim=2

// The CUDA version of union-bytes.cl: a union, and the bits of a float by intrinsic.

union Word {
  float f;
  unsigned u;
  unsigned short h[2];
  unsigned char b[4];
};

__global__ void union_bytes(unsigned *out, const float *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Word w;
  w.f = a[i];
  out[3 * i + 0] = __float_as_uint(a[i]);
  out[3 * i + 1] = w.h[1] * 3u + w.b[0];
  unsigned char t = w.b[0];
  w.b[0] = w.b[3];
  w.b[3] = t;
  out[3 * i + 2] = w.u;
}
