//pass
//--blockDim=64 --gridDim=1

// Cases that fall through do more of the work.

__global__ void unpack(const int *in, int *out) {
  int t = threadIdx.x;
  int *mine = out + 4 * t;
  switch (t % 4) {
  case 3:
    mine[3] = in[t];
  case 2:
    mine[2] = in[t];
  case 1:
    mine[1] = in[t];
  default:
    mine[0] = in[t];
  }
}
