//xfail:UNPROVEN
//--blockDim=64 --gridDim=2
//race

// A barrier of the block is no fence behind a read-modify-write of the flag; runs leave that
// open.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) != 1)
        ;
      
    }
    __syncthreads();
    out[threadIdx.x] = data[63 - threadIdx.x];
  }
}
