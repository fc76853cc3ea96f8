//pass
//--blockDim=[8,8] --gridDim=[2,2]

// The flat thread number in a two-dimensional block, used as a one-dimensional index.

__global__ void flat(int *out) {
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  out[block * (blockDim.x * blockDim.y) + thread] = thread;
}
