//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The cell is stored to, and then changed by an atomic of another thread.

__global__ void carried(int *out) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  atomicExch(&s[t], (int)t);
  atomicExch(&s[(t + 1) & 63], 0);
  __syncthreads();
  out[s[t]] = t;
}
