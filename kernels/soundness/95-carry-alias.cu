//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --may-alias
//race

// The two parameters may be one array.

__global__ void carried(int *out, int *a, int *b) {
  unsigned t = threadIdx.x;
  a[t] = t;
  b[t] = 0;
  __syncthreads();
  out[a[t]] = t;
}
