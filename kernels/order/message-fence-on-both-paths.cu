//pass
//--blockDim=1 --gridDim=2

// Each path has a fence of its own.

__global__ void message(int *data, int *flag, int *out, int n) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    if (n > 3)
      __threadfence();
    else
      __threadfence_system();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
