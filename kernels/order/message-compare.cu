//pass
//--blockDim=1 --gridDim=2

// The flag is read by an exchange of 1 with itself.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicCAS(flag, 1, 1) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
