//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// All threads write the same pair, but for half of it.

__global__ void same(int2 *a, int n) {
  a[0] = make_int2(n, threadIdx.x);
}
