//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The short-circuit hides a read of the neighbour's output.

__global__ void edges(const int *in, int *out, int n) {
  __requires(n == 128);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool left = i == 0 || in[i - 1] != in[i];
  bool right = i == n - 1 || in[i + 1] != in[i];
  out[i] = left && right ? 2 : (i > 0 && out[i - 1] > 0) ? 1 : 0;
}
