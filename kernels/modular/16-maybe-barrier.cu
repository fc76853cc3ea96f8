//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-inline

// The function waits on some ways only, and not on this one.

__device__ void f(int n) {
  __ensures(true);
  if (n)
    __syncthreads();
}

__global__ void maybe(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;
  a[t] = 1;
  f(0);
  out[t] = a[(t + 1) & 63];
}
