//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// Only the warp of the thread that has seen the flag waits for it.

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
      __threadfence();
    }
    __syncwarp();
    out[threadIdx.x] = data[63 - threadIdx.x];
  }
}
