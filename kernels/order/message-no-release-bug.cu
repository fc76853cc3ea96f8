//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//read-write-race

// One block writes a number and a flag without a fence between them; the other waits for the flag and
// reads the number behind a fence of its own.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
