//pass
//--blockDim=64 --gridDim=2

// All threads of one block write; one sets the flag. All threads of the other wait for it.

__global__ void send(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[threadIdx.x] = data[63 - threadIdx.x];
  }
}
