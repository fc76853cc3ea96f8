//pass
//--blockDim=64 --gridDim=2

// The second operand is only evaluated where the first allows it.

__global__ void edges(const int *in, int *out, int n) {
  __requires(n == 128);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool left = i == 0 || in[i - 1] != in[i];
  bool right = i == n - 1 || in[i + 1] != in[i];
  out[i] = left && right ? 2 : left || right ? 1 : 0;
}
