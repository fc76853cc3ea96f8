//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//read-write-race

// Without the barrier.

__global__ void peaks(const int *in, bool *peak) {
  __shared__ bool rising[64];
  int t = threadIdx.x;
  rising[t] = in[t + 1] > in[t];
  peak[t] = t > 0 && rising[t - 1] && !rising[t];
}
