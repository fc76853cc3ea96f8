//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

// The condition is cleared while others may still have to read it.

__global__ void maybe_reverse(const int *mode, int *data) {
  __shared__ int s[64];
  __shared__ int reverse;
  int t = threadIdx.x;
  int gid = blockIdx.x * 64 + t;
  if (t == 0)
    reverse = 1 + (mode[blockIdx.x] & 1);
  __syncthreads();
  if (reverse) {
    if (t == 0)
      reverse = 0;
    s[t] = data[gid];
    __syncthreads();
    data[gid] = s[63 - t];
  }
}
