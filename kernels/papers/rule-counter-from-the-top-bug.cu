//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Planted bug: the counter starts in the row of the next thread.

__global__ void from_the_top(int *out) {
  for (int i = 16; i >= 0; i--)
    out[16 * threadIdx.x + i] = i;
}
