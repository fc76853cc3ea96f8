//pass
//--blockDim=32 --gridDim=[3,2]

// The blocks of a grid of two dimensions are counted.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ bool is_last;
  unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  unsigned blocks = gridDim.x * gridDim.y;
  if (threadIdx.x == 0) {
    part[block] = block + 1;
    __threadfence();
    is_last = atomicAdd(count, 1u) == blocks - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned i = 0; i < blocks; i++)
      total += part[i];
    sum[0] = total;
  }
}
