//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// The unrolled part does not stop before the end and runs into the next thread's range.

__global__ void copy(const int *in, int *out, int n) {
  __requires(n == 14);
  int base = threadIdx.x * n;
  int i = 0;
  for (; i < n; i += 4) {
    out[base + i] = in[base + i];
    out[base + i + 1] = threadIdx.x;
    out[base + i + 2] = in[base + i + 2];
    out[base + i + 3] = threadIdx.x;
  }
  for (; i < n; i++)
    out[base + i] = in[base + i];
}
