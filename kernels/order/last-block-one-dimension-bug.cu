//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=[3,2]
//race

// The grid has two dimensions, and only one of them is counted.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  if (threadIdx.x == 0) {
    part[blockIdx.y * gridDim.x + blockIdx.x] = 1;
    __threadfence();
    if (atomicAdd(count, 1u) == gridDim.x - 1) {
      __threadfence();
      int total = 0;
      for (unsigned i = 0; i < gridDim.x * gridDim.y; i++)
        total += part[i];
      sum[0] = total;
    }
  }
}
