//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//vacuous

// All threads read the same cell, which cannot hold the number of each pair.

__global__ void nobody(int *a, const int *b) {
  __requires(b[0] == threadIdx.x / 2);
  if (threadIdx.x / 2 != b[0])
    a[0] = threadIdx.x;
}
