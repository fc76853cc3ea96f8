//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-inline

// The contract does not hold of 0.

__device__ int square(int x) {
  __requires(x >= 0 & x < 1000);
  __ensures(__return_val_int() >= x);
  return x * x - 1;
}

__global__ void squares(int *out) {
  int t = threadIdx.x;
  int s = square(t);
  __assert(s >= t);
  out[t] = s;
}
