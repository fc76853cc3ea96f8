//pass
//--blockDim=64 --gridDim=1

// Lanes of the lower half name the lower half.

__global__ void sums(const int *in, int *out) {
  int lane = threadIdx.x & 31;
  int v = in[threadIdx.x];
  if (lane < 16) {
    for (int d = 8; d > 0; d /= 2)
      v += __shfl_xor_sync(0x0000ffff, v, d);
  }
  out[threadIdx.x] = v;
}
