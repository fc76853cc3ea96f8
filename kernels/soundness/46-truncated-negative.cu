//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-refute
//race

// The difference is computed in 32 bits, kept in 64 and put into an int, where it is
// negative in half of the threads of every launch: none keeps the value that it had.

__global__ void truncated(int *a) {
  size_t wide = threadIdx.x - 32;
  int left = wide;
  if (left < 0)
    a[0] = threadIdx.x;
}
