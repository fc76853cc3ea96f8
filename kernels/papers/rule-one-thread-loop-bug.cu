//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Planted bug: two threads enter the loop.

__global__ void one_thread(int *out) {
  if (threadIdx.x < 2)
    for (int i = 0; i < 64; i++)
      out[i] = threadIdx.x;
}
