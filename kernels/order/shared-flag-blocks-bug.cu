//xfail:NOT_ALL_VERIFIED
//--blockDim=2 --gridDim=2
//race

// A flag in shared memory says nothing about another block.

__global__ void message(int *data, int *out) {
  __shared__ int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data[0] = blockIdx.x;
    __threadfence();
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) != 1)
      ;
    __threadfence();
    out[blockIdx.x] = data[0];
  }
}
