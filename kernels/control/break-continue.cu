//pass
//--blockDim=32 --gridDim=2

// A search loop with break and continue.

__global__ void first_positive(const int *in, int *where, int n) {
  __requires(n == 16);
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  where[row] = -1;
  for (int i = 0; i < n; i++) {
    int v = in[row * n + i];
    if (v <= 0)
      continue;
    where[row] = i;
    break;
  }
}
