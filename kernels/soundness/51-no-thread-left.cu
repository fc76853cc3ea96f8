//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//vacuous

// Whatever `n` is, one of the 64 threads does not meet the precondition.

__global__ void nobody(int *a, int n) {
  __requires(threadIdx.x != (n & 63));
  if (threadIdx.x == (n & 63) || threadIdx.x == ((n + 1) & 63))
    a[0] = threadIdx.x;
}
