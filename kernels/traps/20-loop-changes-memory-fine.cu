//pass
//--blockDim=32 --gridDim=2

// The loop ends before the change.

__global__ void stale(int *out, int n) {
  __requires(n == 3);
  __shared__ int s[32];
  int tid = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + tid;
  s[tid] = 0;
  for (int i = 0; i < n; i++)
    if (i == 3)
      s[tid] = 5;
  out[s[tid] == 0 ? gid : 0] = gid;
}
