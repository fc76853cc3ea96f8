//pass
//--blockDim=32 --gridDim=1

// The lanes of the mask leave the loop after the same round.

__global__ void rounds(const int *in, int *out) {
  int lane = threadIdx.x & 31;
  int v = in[lane];
  if (lane < 16) {
    for (int i = 0; i < 2 + lane / 16; i++)
      v += __shfl_xor_sync(0x0000ffff, v, 1);
  }
  __syncthreads();
  out[lane] = v;
}
