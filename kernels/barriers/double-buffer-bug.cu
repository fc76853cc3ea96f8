//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//read-write-race

// With a single buffer, filling and emptying collide.

__global__ void pipeline(const int *in, int *out) {
  __shared__ int buffer[2][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = 0; i <= 8; i++) {
    if (warp == 0 && i < 8)
      buffer[0][lane] = in[i * 32 + lane];
    if (warp == 1 && i > 0)
      out[(i - 1) * 32 + lane] = buffer[0][31 - lane];
    __syncthreads();
  }
}
