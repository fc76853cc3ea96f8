//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// One cell that is used again: the reader gives it back without a fence.

__global__ void ring(int *cell, int *full, int *out) {
  __requires(*full == 0);
  for (int k = 0; k < 4; k++) {
    if (blockIdx.x == 0) {
      while (atomicAdd(full, 0) != 0)
        ;
      __threadfence();
      cell[0] = k;
      __threadfence();
      atomicExch(full, 1);
    } else {
      while (atomicAdd(full, 0) != 1)
        ;
      __threadfence();
      out[k] = cell[0];
      atomicExch(full, 0);
    }
  }
}
