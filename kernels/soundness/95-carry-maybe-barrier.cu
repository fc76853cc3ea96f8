//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// On one way there is a barrier between the store and the next barrier, and a store of
// another thread after it.

__global__ void carried(int *out, int n) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  if (n)
    __syncthreads();
  if (n)
    s[(t + 1) & 63] = 1;
  __syncthreads();
  out[s[t] ? 0 : t] = t;
}
