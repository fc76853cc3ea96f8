//pass
//--blockDim=64 --gridDim=1 --warp-sync=32

// Candidate invariants, r18: in lock step nothing is pending at the head, as far as threads of
// one warp are concerned.

__global__ void in_step(int *out) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++) {
    if ((t & 1) == 0)
      s[t ^ 1] = t + i;
    s[t] = t + i;
  }
  out[t] = s[t];
}
