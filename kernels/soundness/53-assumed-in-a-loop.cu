//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --vacuity
//vacuous

// The write is out of reach only because of what is assumed in the loop, by way of the
// invariant that follows from it.

__global__ void assumed(int *a, int n) {
  for (int i = 0; i < n; i++) {
    __assume(i != 3);
    if (i == 4)
      a[100] = threadIdx.x;
  }
}
