//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The flag is written as half a word and read as a whole one.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    *(volatile short *)flag = 1;
  } else {
    while (*(volatile int *)flag == 0)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
