//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The results are packed too tightly: three cells for up to four results.

__global__ void unpack(const int *in, int *out) {
  int t = threadIdx.x;
  int *mine = out + 3 * t;
  switch (t % 4) {
  case 3:
    mine[3] = t;
  case 2:
    mine[2] = in[t];
  case 1:
    mine[1] = in[t];
  default:
    mine[0] = t;
  }
}
