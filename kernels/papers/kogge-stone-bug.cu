//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//read-write-race

// The second barrier of each round is missing.

__global__ void kogge_stone(int *idx, const int *flag) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = flag[t];
  __syncthreads();
  for (int offset = 1; offset < 32; offset *= 2) {
    int temp = 0;
    if (t >= offset)
      temp = s[t - offset];
    __syncthreads();
    if (t >= offset)
      s[t] = temp + s[t];
  }
  idx[t] = s[t];
}
