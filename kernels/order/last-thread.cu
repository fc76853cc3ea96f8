//pass
//--blockDim=32 --gridDim=2

// All threads count; the last one reads what all have written.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  part[i] = i;
  __threadfence();
  if (atomicAdd(count, 1u) == 63) {
    __threadfence();
    int total = 0;
    for (unsigned j = 0; j < 64; j++)
      total += part[j];
    sum[0] = total;
  }
}
