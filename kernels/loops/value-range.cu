//pass
//--blockDim=64 --gridDim=1

// A walk among the sixteen elements of a thread, with neither order nor formula.
__global__ void walk(int *out, int start, int rounds) {
  __requires(start >= 0);
  __requires(start < 16);
  int x = start;
  for (int i = 0; i < rounds; i++) {
    out[16 * threadIdx.x + x] = i;
    x = (x * x + 3) % 16;
  }
}
