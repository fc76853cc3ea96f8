//pass
//--blockDim=64 --gridDim=2

// The condition is read from shared memory after a barrier, so all threads of the block agree.

__global__ void maybe_reverse(const int *mode, int *data) {
  __shared__ int s[64];
  __shared__ int reverse;
  int t = threadIdx.x;
  int gid = blockIdx.x * 64 + t;
  if (t == 0)
    reverse = mode[blockIdx.x];
  __syncthreads();
  if (reverse) {
    s[t] = data[gid];
    __syncthreads();
    data[gid] = s[63 - t];
  }
}
