//pass
//--blockDim=32 --gridDim=1 --warp-sync=32

// Candidate invariants, r18: the same with lock step assumed.

__global__ void lock_step(int *data) {
  __shared__ volatile int s[32];
  int t = threadIdx.x;
  s[t] = data[t];
  s[t] = s[31 - t];
  data[t] = s[t];
}
