//pass
//--blockDim=32 --gridDim=2

// The CUDA version of mul-hi.cl: the high halves by intrinsic and by wide products.

__global__ void mul_hi_all(int4 *s, uint4 *u, long long *l, unsigned long long *m,
                           const unsigned long long *a, const unsigned long long *b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long x = a[i], y = b[i];
  s[i] = make_int4((signed char)x * (signed char)y >> 8, (short)x * (short)y >> 16,
                   __mulhi((int)x, (int)y), (int)((unsigned)__mulhi((int)x, (int)y) + 3u));
  u[i] = make_uint4((unsigned char)x * (unsigned char)y >> 8,
                    (unsigned)(unsigned short)x * (unsigned short)y >> 16,
                    __umulhi((unsigned)x, (unsigned)y),
                    __umulhi((unsigned)x, (unsigned)y) + (unsigned)(x >> 32));
  l[i] = __mul64hi((long long)x, (long long)y);
  m[i] = __umul64hi(x, y);
}
