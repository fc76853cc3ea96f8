//pass
//--blockDim=128 --gridDim=2

// Warps reduce by shuffles; one value per warp goes through shared memory.

__device__ int warp_sum(int v) {
  for (int offset = 16; offset > 0; offset >>= 1)
    v += __shfl_xor_sync(0xffffffff, v, offset);
  return v;
}

__global__ void reduce(const int *in, int *out) {
  __shared__ int partial[32];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;

  int v = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (lane == 0)
    partial[warp] = v;
  __syncthreads();

  if (warp == 0) {
    v = lane < blockDim.x / 32 ? partial[lane] : 0;
    v = warp_sum(v);
    if (lane == 0)
      out[blockIdx.x] = v;
  }
}
