//xfail:REFUTED
//--blockDim=1 --gridDim=4
//race

// Who has to wait passes no fence afterwards.

__global__ void scan(const int *in, int *part, int *sums, int *states) {
  int i = blockIdx.x;
  part[i] = in[i];
  __threadfence();
  atomicExch(states + i, 1);
  if (i > 0) {
    int state = atomicAdd(states + i - 1, 0);
    if (state != 0)
      __threadfence();
    while (state == 0)
      state = atomicAdd(states + i - 1, 0);
    sums[i] = part[i - 1];
  }
}
