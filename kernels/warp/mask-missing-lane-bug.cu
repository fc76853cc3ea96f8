//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//deadlock

// Planted bug: lane 15 is in the mask and goes to the barrier of the block instead.

__global__ void sums(const int *in, int *out) {
  int lane = threadIdx.x & 31;
  int v = in[threadIdx.x];
  if (lane < 15) {
    for (int d = 8; d > 0; d /= 2)
      v += __shfl_xor_sync(0x0000ffff, v, d);
  }
  __syncthreads();
  out[threadIdx.x] = v;
}
