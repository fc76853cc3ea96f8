//pass
//--blockDim=1 --gridDim=4

// Two blocks pass on what the first one published, by flags of two arrays.

__global__ void relay(int *data, int *first, int *second, int *out) {
  __requires(first[0] == 0);
  __requires(second[0] == 0);
  __requires(second[1] == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(first, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(first, 0) != 1)
      ;
    __threadfence();
    atomicExch(second, 1);
  } else if (blockIdx.x == 2) {
    while (atomicAdd(second, 0) != 1)
      ;
    __threadfence();
    atomicExch(second + 1, 1);
  } else {
    while (atomicAdd(second + 1, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
