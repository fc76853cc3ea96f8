//pass
//--blockDim=64 --gridDim=1

// What `modff` stores is the whole part.

__global__ void rest_of_infinity(int *out, float x) {
  float whole;
  float rest = modff(x, &whole);
  out[threadIdx.x] = rest > 0.5f;
  if (__float_as_uint(whole) != __float_as_uint(truncf(x)))
    out[0] = threadIdx.x;
}
