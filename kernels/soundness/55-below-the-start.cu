//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The pointer goes down until it is below the start of the array; then all threads write.

__global__ void down(const int *a, int *b, int n) {
  __requires(n > 0 && n < 100);
  int sum = 0;
  for (const int *p = a + n - 1; p >= a; --p)
    sum += *p;
  b[0] = sum + threadIdx.x;
}
