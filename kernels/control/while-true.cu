//pass
//--blockDim=32 --gridDim=2

// An endless loop with its exit in the middle.

__global__ void collatz(const unsigned *in, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i], n = 0;
  while (true) {
    if (v <= 1 || n == 40)
      break;
    v = v & 1 ? 3 * v + 1 : v / 2;
    n++;
  }
  out[i] = n;
}
