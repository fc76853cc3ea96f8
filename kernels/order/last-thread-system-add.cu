//pass
//--blockDim=2 --gridDim=2

// The count of all blocks is added to by atomics of the system.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  part[blockIdx.x * 2 + threadIdx.x] = 1;
  __threadfence();
  if (atomicAdd_system(count, 1u) == 3) {
    __threadfence();
    for (int i = 0; i < 4; i++)
      sum[0] += part[i];
  }
}
