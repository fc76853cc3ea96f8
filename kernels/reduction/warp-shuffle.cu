//pass
//--blockDim=32 --gridDim=4

// One warp per block; the sum travels through registers.

__global__ void reduce(const int *in, int *out) {
  int v = in[blockIdx.x * 32 + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffff, v, offset);
  if (threadIdx.x == 0)
    out[blockIdx.x] = v;
}
