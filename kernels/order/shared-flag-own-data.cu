//pass
//--blockDim=2 --gridDim=2

// A flag in shared memory and data of the block.

__global__ void message(int *data, int *out) {
  __shared__ int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data[blockIdx.x] = blockIdx.x;
    __threadfence_block();
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) != 1)
      ;
    __threadfence_block();
    out[blockIdx.x] = data[blockIdx.x];
  }
}
