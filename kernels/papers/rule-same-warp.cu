//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//race

// Candidate invariants, r18: correct only if the lanes of a warp run in lock step, which is not assumed.

__global__ void lock_step(int *data) {
  __shared__ volatile int s[32];
  int t = threadIdx.x;
  s[t] = data[t];
  s[t] = s[31 - t];
  data[t] = s[t];
}
