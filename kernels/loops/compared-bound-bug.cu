//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The ring has one element too many, which is the next thread's.
__global__ void ring(int *out, int n, int rounds) {
  __requires(n == 5);
  __requires(rounds == 9);
  int x = 0;
  for (int i = 0; i < rounds; i++) {
    out[n * threadIdx.x + x] = i + threadIdx.x;
    x = x + 1;
    if (x > n)
      x = 0;
  }
}
