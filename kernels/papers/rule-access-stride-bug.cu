//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// The stride is not the block's size.

__global__ void strided(int *out) {
  for (int i = 0; i < 4; i++)
    out[i * 30 + threadIdx.x] = i;
}
