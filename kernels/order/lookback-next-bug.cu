//xfail:REFUTED
//--blockDim=1 --gridDim=4
//race

// The loop that waits reads the state of the block itself instead of the one before.

__global__ void scan(const int *in, int *part, int *sums, int *states) {
  int i = blockIdx.x;
  part[i] = in[i];
  __threadfence();
  atomicExch(states + i, 1);
  if (i > 0) {
    int state = atomicAdd(states + i - 1, 0);
    while (state == 0)
      state = atomicAdd(states + i, 0);
    __threadfence();
    sums[i] = part[i - 1];
  }
}
