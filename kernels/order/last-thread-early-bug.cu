//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// The last thread but one takes itself for the last.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  part[i] = i;
  __threadfence();
  if (atomicAdd(count, 1u) == 62) {
    __threadfence();
    int total = 0;
    for (unsigned j = 0; j < 64; j++)
      total += part[j];
    sum[0] = total;
  }
}
