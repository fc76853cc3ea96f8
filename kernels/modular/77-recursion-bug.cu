//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-inline

// The result grows faster than the contract says.

__device__ int half(int n) {
  __requires(n >= 0);
  __ensures(__return_val_int() >= 0 & __return_val_int() <= n);
  if (n < 2)
    return 0;
  return half(n - 2) + 3;
}

__global__ void halves(int *out) {
  int t = threadIdx.x;
  int h = half(t);
  __assert(h <= t);
  out[t] = h;
}
