//pass
//--blockDim=32 --gridDim=2

// A do-while loop over the thread's own digits.

__global__ void digits(const unsigned *in, unsigned char *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i];
  int n = 0;
  do {
    out[i * 10 + n] = v % 10;
    v /= 10;
    n++;
  } while (v != 0 && n < 10);
}
