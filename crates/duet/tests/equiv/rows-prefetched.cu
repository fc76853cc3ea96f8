__global__ void rows(int *out, const int *in, int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < m && n > 0) { int s = 0; int next = in[r * n];
    for (int k = 0; k < n - 1; k++) { int now = next; next = in[r * n + k + 1]; s += now; }
    s += next;
    out[r] = s; }
  else if (r < m) out[r] = 0;
}
