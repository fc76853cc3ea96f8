//pass
//--blockDim=1 --gridDim=2

// A flag of 64 bits.

__global__ void message(int *data, unsigned long long *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1ull);
  } else {
    while (atomicAdd(flag, 0ull) != 1ull)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
