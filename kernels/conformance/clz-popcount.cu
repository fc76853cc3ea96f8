//pass
//--blockDim=32 --gridDim=2

// The CUDA version of clz-popcount.cl: narrow widths by way of the 32-bit functions.

__device__ unsigned clz_in(unsigned width, unsigned x) { return __clz(x) - (32 - width); }

__global__ void clz_popcount(unsigned *out, const unsigned long long *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long x = a[i] >> (i & 63);
  if (i == 63)
    x = 0;
  unsigned *o = &out[8 * i];
  *o++ = clz_in(8, (unsigned char)x);
  *o++ = clz_in(16, (unsigned short)x);
  *o++ = __clz((unsigned)x);
  *o++ = __clzll(x);
  *o++ = __popc((unsigned char)x);
  *o++ = __popc((unsigned short)x);
  *o++ = __popc((unsigned)x);
  *o = __popcll(x);
}
