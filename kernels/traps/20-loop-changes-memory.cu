//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// The loop changes the thread's own cell, so the value from before the loop is stale.

__global__ void stale(int *out, int n) {
  __requires(n == 5);
  __shared__ int s[32];
  int tid = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + tid;
  s[tid] = 0;
  for (int i = 0; i < n; i++)
    if (i == 3)
      s[tid] = 5;
  out[s[tid] == 0 ? gid : 0] = gid;
}
