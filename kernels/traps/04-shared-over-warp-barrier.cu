//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The same with a warp barrier, for two threads of different warps.

__global__ void forgotten(int *out) {
  __shared__ int s[64];
  int tid = threadIdx.x;
  s[tid] = tid;
  __syncwarp();
  s[tid ^ 1] = 0;
  __syncwarp();
  if ((tid & 31) == 0)
    out[s[tid]] = tid;
}
