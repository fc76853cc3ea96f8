//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The walk is among seventeen elements, of which one is the next thread's.
__global__ void walk(int *out, int start, int rounds) {
  __requires(start == 0);
  __requires(rounds == 20);
  int x = start;
  for (int i = 0; i < rounds; i++) {
    out[16 * threadIdx.x + x] = i;
    x = (x + 5) % 17;
  }
}
