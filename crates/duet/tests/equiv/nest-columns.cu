__global__ void nest(int *out, const int *in, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = 0;
  for (int j = 0; j < m; j++)
    for (int k = 0; k < n; k++) s += in[k * m + j] * i;
  out[i] = s;
}
