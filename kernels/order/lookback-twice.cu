//pass
//--blockDim=1 --gridDim=4

// The state of the block before is read once, and again for as long as it is 0.

__global__ void scan(const int *in, int *part, int *sums, int *states) {
  int i = blockIdx.x;
  part[i] = in[i];
  __threadfence();
  atomicExch(states + i, 1);
  if (i > 0) {
    int state = atomicAdd(states + i - 1, 0);
    while (state == 0)
      state = atomicAdd(states + i - 1, 0);
    __threadfence();
    sums[i] = part[i - 1];
  }
}
