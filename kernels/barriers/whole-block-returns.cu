//pass
//--blockDim=32 --gridDim=4

// A whole block leaves before the barrier: no thread of it is missed.

__global__ void few_blocks(int *data, int blocks) {
  __requires(blocks == 3);
  __shared__ int s[32];
  if (blockIdx.x >= blocks)
    return;
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = data[gid];
  __syncthreads();
  data[gid] = s[threadIdx.x ^ 1];
}
