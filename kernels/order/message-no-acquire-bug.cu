//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//read-write-race

// The reader has no fence between the flag and the number: it may have read the number
// before the flag.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    out[0] = data[0];
  }
}
