//pass
//--blockDim=1 --gridDim=4

// One block waits for the flags of all, one after the other.

__global__ void gather(int *part, int *done, int *out) {
  part[blockIdx.x] = blockIdx.x;
  __threadfence();
  atomicExch(done + blockIdx.x, 1);
  if (blockIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; i++) {
      while (atomicAdd(done + i, 0) == 0)
        ;
      __threadfence();
      sum += part[i];
    }
    out[0] = sum;
  }
}
