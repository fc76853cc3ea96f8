//pass
//--blockDim=32 --gridDim=2

// A loop made of a label and a goto.

__global__ void halve(unsigned *a, unsigned *steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = a[i] & 0xff;
  unsigned n = 0;
again:
  if (v > 1) {
    v = v % 2 == 0 ? v / 2 : v - 1;
    n++;
    goto again;
  }
  steps[i] = n;
}
