//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// Room for nine digits only.

__global__ void digits(const unsigned *in, unsigned char *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i];
  int n = 0;
  do {
    out[i * 9 + n] = i;
    v /= 10;
    n++;
  } while (n < 10);
}
