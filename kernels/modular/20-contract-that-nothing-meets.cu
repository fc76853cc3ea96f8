//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// No function does what the contract says, so nothing follows from it.

__device__ int __spec_place(int n) {
  __ensures(__return_val_int() == n);
  __ensures(__return_val_int() != n);
  return 0;
}

__global__ void nothing_meets(int *out, int n) {
  out[__spec_place(n)] = threadIdx.x;
}
