//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// The flag of the block says nothing about what other blocks have written.

__global__ void message(int *out) {
  __shared__ int value, flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = 7;
    __threadfence_block();
    atomicExch(&flag, 1);
  }
  if (threadIdx.x == 32) {
    while (atomicAdd(&flag, 0) == 0)
      ;
    __threadfence_block();
    out[blockIdx.x + 1] = out[0];
  }
}
