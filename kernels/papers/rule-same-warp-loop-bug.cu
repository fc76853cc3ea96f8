//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --warp-sync=32
//race

// Planted bug: a thread writes the element of one in another warp.

__global__ void in_step(int *out) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++) {
    if ((t & 1) == 0)
      s[t ^ 32] = t + i;
    s[t] = t + i;
  }
  out[t] = s[t];
}
