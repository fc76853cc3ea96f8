//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The cell that a thread stored to is written by another one between the two barriers.

__global__ void carried(int *out) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  s[63 - t] = 0;
  __syncthreads();
  out[s[t]] = t;
}
