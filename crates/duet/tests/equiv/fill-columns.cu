__global__ void fill(int *out, const int *in, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < m; j++)
    for (int k = 0; k < n; k++)
      out[(i * n + k) * m + j] = 2 * in[(i * n + k) * m + j];
}
