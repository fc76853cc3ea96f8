//pass
//--blockDim=1 --gridDim=8

// Each block publishes its number by a flag of its own; the next block waits for it.

__global__ void chain(int *data, int *flags, int *out) {
  int i = blockIdx.x;
  data[i] = i;
  __threadfence();
  atomicExch(flags + i, 1);
  if (i > 0) {
    while (atomicAdd(flags + i - 1, 0) != 1)
      ;
    __threadfence();
    out[i] = data[i - 1];
  }
}
