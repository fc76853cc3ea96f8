//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// The break is lost and the result moves on with the loop.

__global__ void first_positive(const int *in, int *where, int n) {
  __requires(n == 16);
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  where[row] = -1;
  for (int i = 0; i < n; i++) {
    int v = in[row * n + i];
    if (v == 12345)
      continue;
    where[row + i] = i;
  }
}
