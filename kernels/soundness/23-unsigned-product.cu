//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Unsigned arithmetic wraps as it should: with n = 0x80000000 threads 0 and 2
// write the same element. Nothing may be assumed here.

__global__ void scatter(int *a, unsigned n) {
  if (n == 0)
    return;
  a[threadIdx.x * n] = threadIdx.x;
}
