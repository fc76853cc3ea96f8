//pass
//--blockDim=32 --gridDim=1

// Barrier invariants, section 4.2: the Kogge-Stone scan.

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
    __syncthreads();
  }
  idx[t] = s[t];
}
