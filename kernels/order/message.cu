//pass
//--blockDim=1 --gridDim=2

// One block writes a number and, behind a fence, a flag; the other waits for the flag and
// reads the number behind a fence of its own.

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
    out[0] = data[0];
  }
}
