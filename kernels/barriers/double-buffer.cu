//pass
//--blockDim=64 --gridDim=1

// One warp fills a buffer while the other empties the one filled before.

__global__ void pipeline(const int *in, int *out) {
  __shared__ int buffer[2][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = 0; i <= 8; i++) {
    if (warp == 0 && i < 8)
      buffer[i % 2][lane] = in[i * 32 + lane];
    if (warp == 1 && i > 0)
      out[(i - 1) * 32 + lane] = buffer[(i - 1) % 2][31 - lane];
    __syncthreads();
  }
}
