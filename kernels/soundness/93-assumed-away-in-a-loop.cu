//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//vacuous

// Each iteration by itself can meet the assumption, but no thread gets past the loop: the
// race behind it would be proved absent.

__global__ void assumed(int *a) {
  for (int i = 0; __invariant(i <= 5), i < 100; i++) {
    __assume(i < 5);
    a[threadIdx.x] = i;
  }
  a[0] = threadIdx.x;
}
