//pass
//--blockDim=32 --gridDim=1

// A hand-unrolled loop with a remainder.

__global__ void copy(const int *in, int *out, int n) {
  __requires(n == 14);
  int base = threadIdx.x * n;
  int i = 0;
  for (; i + 3 < n; i += 4) {
    out[base + i] = in[base + i];
    out[base + i + 1] = in[base + i + 1];
    out[base + i + 2] = in[base + i + 2];
    out[base + i + 3] = in[base + i + 3];
  }
  for (; i < n; i++)
    out[base + i] = in[base + i];
}
