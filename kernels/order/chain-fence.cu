//pass
//--blockDim=1 --gridDim=3

// The block in the middle has a fence before its store, and passes on what it has seen.

__global__ void chain(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    *(volatile int *)flag = 2;
  } else {
    while (atomicAdd(flag, 0) != 2)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
