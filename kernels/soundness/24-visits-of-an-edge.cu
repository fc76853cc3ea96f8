//xfail:UNPROVEN
//--blockDim=64 --gridDim=1
//race

// After 2^32 rounds all threads write a[0]. What is stated of the number of rounds must
// be shown for the round that an edge leads to: `rounds < 2^32` is none of it.
// No run gets that far.
__global__ void late(int *a, int step, long long n) {
  int i = threadIdx.x;
  for (long long j = 0; j < n; j++) {
    if (j >> 32)
      a[0] = threadIdx.x;
    i += step;
  }
  a[1 + threadIdx.x] = i;
}
