//pass
//--blockDim=64 --gridDim=1

// Each thread has a ring of n elements; n is an argument.
__global__ void ring(int *out, int n, int rounds) {
  __requires(n > 0);
  __requires(n < 1000);
  int x = 0;
  for (int i = 0; i < rounds; i++) {
    out[n * threadIdx.x + x] = i;
    x = x + 1;
    if (x >= n)
      x = 0;
  }
}
