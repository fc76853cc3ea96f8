//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// That the product fits a signed variable may be assumed only after it was put
// there: all threads whose product is above the largest int write element 0.

__global__ void scatter(int *a, int *b, unsigned n) {
  __requires(n == 0x80000000u);
  unsigned u = threadIdx.x * n;
  a[(1 - (u >> 31)) * (threadIdx.x + 1)] = threadIdx.x;
  int i = u;
  if (i < 10)
    b[threadIdx.x] = i;
}
