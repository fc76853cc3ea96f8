//pass
//--blockDim=64 --gridDim=4

// A flag in shared memory passes a value on within the block.

__global__ void message(int *out) {
  __shared__ int value, flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
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
