//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// It starts in the elements of the thread before.
__global__ void hop(int *out) {
  int i = 64 * threadIdx.x - (threadIdx.x > 0);
  int end = 64 * threadIdx.x + 64;
  while (i < end) {
    out[i] = threadIdx.x;
    i += 1 + (out[i] & 1);
  }
}
