__global__ void rows(int *out, const int *in, int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < m) { int s = 0; int k = 0;
    for (; k < n - 3; k += 4) { s += in[r * n + k]; s += in[r * n + k + 1]; s += in[r * n + k + 2]; s += in[r * n + k + 3]; }
    for (; k < n; k++) s += in[r * n + k];
    out[r] = s; }
}
