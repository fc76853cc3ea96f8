//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-inline

// The function never returns, so it keeps every contract; what is behind the call is not
// proved by that.

__device__ int f(int n) {
  __ensures(false);
  return f(n);
}

__global__ void without_end(int *out, int n) {
  if (n > 4)
    f(n);
  out[0] = threadIdx.x;
}
