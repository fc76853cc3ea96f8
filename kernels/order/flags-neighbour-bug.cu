//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=8
//race

// A block waits for the flag of its left neighbour and reads the number of the right one.

__global__ void chain(int *data, int *flags, int *out) {
  int i = blockIdx.x;
  data[i] = i;
  __threadfence();
  atomicExch(flags + i, 1);
  if (i > 0 && i < 7) {
    while (atomicAdd(flags + i - 1, 0) != 1)
      ;
    __threadfence();
    out[i] = data[i + 1];
  }
}
