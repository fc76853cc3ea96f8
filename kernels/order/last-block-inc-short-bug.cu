//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The counter starts again one block too soon.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  part[blockIdx.x] = 1;
  __threadfence();
  if (atomicInc(count, gridDim.x - 2) == gridDim.x - 2) {
    __threadfence();
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      total += part[i];
    sum[0] = total;
  }
}
