//pass
//--blockDim=1 --gridDim=2

// The reader answers in the same word, with another number.

__global__ void answer(int *flag, int *data, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    atomicExch(flag, 1);
    while (atomicAdd(flag, 0) != 2)
      ;
    __threadfence();
    out[0] = data[1];
  } else {
    while (atomicAdd(flag, 0) == 0)
      ;
    __threadfence();
    data[1] = data[0];
    __threadfence();
    atomicExch(flag, 2);
  }
}
