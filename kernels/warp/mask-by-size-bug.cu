//xfail:NOT_ALL_VERIFIED
//--blockDim=256 --gridDim=4
//warp-deadlock|barrier-divergence

// The mask names twice as many lanes as come.
__global__ void sums(int *out) {
  __shared__ int part[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 31)
    part[warp] = warp;
  __syncthreads();
  if (warp == 0 && lane < blockDim.x / 32) {
    unsigned mask = (1u << (blockDim.x / 16)) - 1;
    int value = part[lane];
    for (int i = 1; i < 8; i *= 2) {
      int other = __shfl_up_sync(mask, value, i, 8);
      if (lane >= i)
        value += other;
    }
    part[lane] = value;
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = part[warp];
}
