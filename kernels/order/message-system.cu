//pass
//--blockDim=1 --gridDim=2

// Fences and atomics of the whole system.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence_system();
    atomicExch_system(flag, 1);
  } else {
    while (atomicAdd_system(flag, 0) != 1)
      ;
    __threadfence_system();
    out[0] = data[0];
  }
}
