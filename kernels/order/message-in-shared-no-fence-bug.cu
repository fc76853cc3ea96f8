//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// Without a fence before the flag is set nothing is ordered.

__global__ void message(int *out) {
  __shared__ int value, flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 7;
    atomicExch(&flag, 1);
  }
  if (threadIdx.x == 32) {
    while (atomicAdd(&flag, 0) == 0)
      ;
    __threadfence_block();
    out[blockIdx.x + 1] = value;
  }
}
