//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// Divides by the warp's width: both halves write one result.

__global__ void reduce(const int *in, int *out) {
  int v = in[threadIdx.x];
  for (int d = 8; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffff, v, d, 16);
  if (threadIdx.x % 16 == 0)
    out[threadIdx.x / 32] = v + threadIdx.x;
}
