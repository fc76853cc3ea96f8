//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Unsigned arithmetic wraps as it should: threads 0 and 4 write the same element.
// Nothing may be assumed here.

__global__ void scatter(int *a, unsigned n) {
  __requires(n == 0x40000000);
  a[(threadIdx.x * n) >> 26] = threadIdx.x;
}
