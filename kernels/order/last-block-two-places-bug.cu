//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=6
//race

// There are two counters, and what is read from one says nothing about the other.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(count[0] == 0);
  __requires(count[1] == 0);
  part[blockIdx.x] = 1;
  __threadfence();
  if (atomicAdd(count + (blockIdx.x & 1), 1u) == gridDim.x / 2 - 1) {
    __threadfence();
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      total += part[i];
    sum[blockIdx.x & 1] = total;
  }
}
