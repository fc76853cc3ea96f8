//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=16
//write-write-race

// One element more than the block owns.

#define C 4

__global__ void ranges(int *out) {
  for (int i = 0; i <= C; i++)
    out[C * blockIdx.x + i] = blockIdx.x;
}
