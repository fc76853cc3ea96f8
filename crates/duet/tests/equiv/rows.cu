__global__ void rows(int *out, const int *in, int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < m) { int s = 0; for (int k = 0; k < n; k++) s += in[r * n + k]; out[r] = s; }
}
