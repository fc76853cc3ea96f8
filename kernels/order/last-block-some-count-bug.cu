//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=6
//race

// All blocks write, and only some of them count.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  part[blockIdx.x] = 1;
  __threadfence();
  if (blockIdx.x < 4 && atomicAdd(count, 1u) == 3) {
    __threadfence();
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      total += part[i];
    sum[0] = total;
  }
}
