//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-inline

// A caller does not see to what is required.

__device__ int square(int x) {
  __requires(x >= 0 & x < 1000);
  __ensures(__return_val_int() >= x);
  return x * x;
}

__global__ void squares(int *out) {
  int t = threadIdx.x;
  int s = square(t - 1);
  __assert(s >= t);
  out[t] = s;
}
