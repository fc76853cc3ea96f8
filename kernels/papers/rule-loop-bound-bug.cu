//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// The last round writes the cell before the thread's own.

__global__ void downwards(int *out) {
  for (int i = 8; i >= 0 && (i > 0 || threadIdx.x > 0); i--)
    out[threadIdx.x * 8 + i - 1] = i;
}
