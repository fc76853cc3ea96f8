//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// Both blocks start at the same place.

__global__ void clamp(float *first, int n) {
  __requires(n == 300);
  float *last = first + n;
  for (float *p = first + threadIdx.x; p < last; p += 64)
    *p += 1.0f;
}
