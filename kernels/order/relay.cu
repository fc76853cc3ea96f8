//pass
//--blockDim=1 --gridDim=3

// The second block passes on what the first one published: order composes.

__global__ void relay(int *data, int *flags, int *out) {
  __requires(flags[0] == 0);
  __requires(flags[1] == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flags, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flags, 0) != 1)
      ;
    __threadfence();
    atomicExch(flags + 1, 1);
  } else {
    while (atomicAdd(flags + 1, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
