//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//read-write-race

// A volatile flag without a fence behind the number orders nothing.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    *(volatile int *)flag = 1;
  } else {
    while (*(volatile int *)flag != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
