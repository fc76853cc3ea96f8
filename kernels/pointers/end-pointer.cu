//pass
//--blockDim=32 --gridDim=2

// The loop runs until the pointer reaches the end of the array.

__global__ void clamp(float *first, int n) {
  __requires(n == 300);
  float *last = first + n;
  for (float *p = first + blockIdx.x * blockDim.x + threadIdx.x; p < last; p += 64)
    if (*p < 0.0f)
      *p = 0.0f;
}
