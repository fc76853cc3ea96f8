//pass
//--blockDim=1 --gridDim=2

// The fence in the loop comes behind each read of the flag.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    *(volatile int *)flag = 1;
  } else {
    int seen;
    do {
      seen = *(volatile int *)flag;
      __threadfence();
    } while (seen == 0);
    out[0] = data[0];
  }
}
