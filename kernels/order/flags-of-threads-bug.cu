//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The flag is set when its own thread has written, not when the block has.

__global__ void send(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[threadIdx.x] = data[63 - threadIdx.x];
  }
}
