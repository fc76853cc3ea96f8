//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=16
//race

// Planted bug: the second offset starts in the range of the next block.

__global__ void ranges(int *out) {
  for (int i = 0; i < 8; i++) {
    out[8 * blockIdx.x + i] = blockIdx.x;
    out[8 * blockIdx.x + 8 - i] = blockIdx.x;
  }
}
