//pass
//--blockDim=64 --gridDim=4

// The thread that comes last resets the counter without a fence: it looks at nothing else.

__global__ void last(int *part, unsigned *count) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x;
  part[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
  if (atomicAdd(count, 1u) == n - 1)
    *count = 0;
}
