//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//deadlock

// Planted bug: the lanes of the mask leave the loop after different rounds.

__global__ void rounds(const int *in, int *out) {
  int lane = threadIdx.x & 31;
  int v = in[lane];
  if (lane < 16) {
    for (int i = 0; i < 1 + lane / 8; i++)
      v += __shfl_xor_sync(0x0000ffff, v, 1);
  }
  __syncthreads();
  out[lane] = v;
}
