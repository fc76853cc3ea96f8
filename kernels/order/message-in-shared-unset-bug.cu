//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// The flag is not set to 0 at the start, so what is seen may be what was there.

__global__ void message(int *out) {
  __shared__ int value, flag;
  if (threadIdx.x == 0) {
    value = 7;
    __threadfence_block();
    atomicExch(&flag, 1);
  }
  if (threadIdx.x == 32) {
    while (atomicAdd(&flag, 0) == 0)
      ;
    __threadfence_block();
    out[blockIdx.x + 1] = value;
  }
}
