//pass
//--blockDim=64 --gridDim=4

// The number that was drawn is shared, and each thread compares it behind the barrier.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ unsigned ticket;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    ticket = atomicAdd(count, 1u);
    __threadfence();
  }
  __syncthreads();
  if (ticket == gridDim.x - 1 && threadIdx.x == 0) {
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      total += part[i];
    sum[0] = total;
  }
}
