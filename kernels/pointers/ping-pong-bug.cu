//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//read-write-race

// After the first step both pointers name the same buffer.

__global__ void diffuse(int *a, int *b, int steps) {
  __requires(steps == 6);
  int t = threadIdx.x;
  int *src = a, *dst = b;
  for (int i = 0; i < steps; i++) {
    dst[t] = src[t] + src[(t + 1) % 64];
    __syncthreads();
    int *other = src;
    src = dst;
    (void)other;
  }
}
