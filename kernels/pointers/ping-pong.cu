//pass
//--blockDim=64 --gridDim=1

// Two buffers take turns by swapping pointers.

__global__ void diffuse(int *a, int *b, int steps) {
  __requires(steps == 6);
  int t = threadIdx.x;
  int *src = a, *dst = b;
  for (int i = 0; i < steps; i++) {
    dst[t] = src[t] + src[(t + 1) % 64];
    __syncthreads();
    int *other = src;
    src = dst;
    dst = other;
  }
}
