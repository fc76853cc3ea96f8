//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// The first lane publishes what all lanes wrote, and no lane waits for another.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 42;
    __threadfence();
    if (threadIdx.x == 0)
      atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[threadIdx.x] = data[threadIdx.x];
  }
}
