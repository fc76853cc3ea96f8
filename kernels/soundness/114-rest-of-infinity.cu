//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// An infinity has the rest zero, which no difference yields.

__global__ void rest_of_infinity(int *out, float x) {
  float whole;
  float rest = modff(x, &whole);
  if (__float_as_uint(rest) != __float_as_uint(copysignf(x - truncf(x), x)))
    out[0] = threadIdx.x;
}
