//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Threads meet at the barrier in different iterations, so that they load different contents
// of the same cell and store them to places that are the same.

__global__ void carried(int *out) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  int seen = 0;
  for (int i = 0; i < 3; i++) {
    if (i == (int)(t & 1))
      continue;
    if (t == 0)
      s[0] = i;
    __syncthreads();
    seen = s[0] + i;
    __syncthreads();
  }
  out[seen] = t;
}
