//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//vacuous

// The preconditions contradict each other: nothing is proved by that.

__global__ void nothing(int *a, int n) {
  __requires(n > 10);
  __requires(n < 10);
  a[0] = threadIdx.x;
}
