//pass
//--blockDim=32 --gridDim=1

// Two halves of a warp reduce apart, with a width of 16.

__global__ void reduce(const int *in, int *out) {
  int v = in[threadIdx.x];
  for (int d = 8; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffff, v, d, 16);
  if (threadIdx.x % 16 == 0)
    out[threadIdx.x / 16] = v;
}
