//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --vacuity
//vacuous

// Planted bug: the assumption contradicts the way that leads to it, so nothing is
// said of the race behind it.

__global__ void assumed(int *a, int n) {
  __requires(n > 4);
  if (n > 8) {
    __assume(n < 8);
    a[0] = threadIdx.x;
  }
}
