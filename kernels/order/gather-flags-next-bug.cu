//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// One block waits for the flag of one and reads the data of the next.

__global__ void gather(int *part, int *done, int *out) {
  part[blockIdx.x] = blockIdx.x;
  __threadfence();
  atomicExch(done + blockIdx.x, 1);
  if (blockIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x - 1; i++) {
      while (atomicAdd(done + i, 0) == 0)
        ;
      __threadfence();
      sum += part[i + 1];
    }
    out[0] = sum;
  }
}
