//pass
//--blockDim=64 --gridDim=4

// All threads of a block write; one sets the flag of the block. One thread of the next block
// waits for it, and all of them read.

__global__ void chain(int *data, int *flags, int *out) {
  int b = blockIdx.x;
  int i = b * blockDim.x + threadIdx.x;
  data[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(flags + b, 1);
    if (b > 0) {
      while (atomicAdd(flags + b - 1, 0) != 1)
        ;
      __threadfence();
    }
  }
  __syncthreads();
  if (b > 0)
    out[i] = data[i - 64];
}
