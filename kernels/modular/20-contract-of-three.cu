//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// Two threads can meet the contract, and no three.

__device__ int __spec_bit() {
  __ensures(__return_val_int() >= 0 & __return_val_int() < 2);
  __ensures(__return_val_int() != __other_int(__return_val_int()));
  return 0;
}

__global__ void three(int *out) {
  out[__spec_bit()] = threadIdx.x;
}
