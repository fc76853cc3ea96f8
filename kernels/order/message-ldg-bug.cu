//xfail:UNPROVEN
//--blockDim=1 --gridDim=2
//race

// The data are read through the read-only path, which no fence orders.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[0] = __ldg(data);
  }
}
