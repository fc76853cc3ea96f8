//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The reader sets the flag itself if it is not set, and so waits for nothing.

__global__ void message(int *flag, int *data, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    atomicCAS(flag, 0, 1);
    while (atomicAdd(flag, 0) == 0)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
