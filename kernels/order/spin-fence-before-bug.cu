//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The fence in the loop comes before the read of the flag that counts.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    *(volatile int *)flag = 1;
  } else {
    int seen;
    do {
      __threadfence();
      seen = *(volatile int *)flag;
    } while (seen == 0);
    out[0] = data[0];
  }
}
