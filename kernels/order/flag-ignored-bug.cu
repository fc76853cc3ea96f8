//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The flag is read and nothing waits for it.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    int seen = atomicAdd(flag, 0);
    __threadfence();
    out[0] = seen + data[0];
  }
}
