//pass
//--blockDim=64 --gridDim=2

// Several returns, no barrier.

__global__ void classify(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = in[i];
  if (v < 0) {
    out[i] = -1;
    return;
  }
  if (v == 0)
    return;
  out[i] = 1;
}
