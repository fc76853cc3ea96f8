//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The neighbour stores to the cell through a volatile pointer.

__global__ void carried(int *out) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  volatile int *v = s;
  s[t] = t;
  __syncthreads();
  v[t] = t;
  v[(t + 1) & 63] = 0;
  __syncthreads();
  out[s[t]] = t;
}
