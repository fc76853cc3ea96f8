//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//race

// Planted bug: the first value is zero.

__global__ void not_zero(int *out) {
  __shared__ int s[1024];
  int d = 0;
  do {
    s[threadIdx.x * d] = threadIdx.x;
    __syncthreads();
    d >>= 1;
  } while (d > 0);
  out[threadIdx.x] = s[threadIdx.x];
}
