//xfail:NOT_ALL_VERIFIED
//--blockDim=[4,4,4] --gridDim=[2,2,2]
//write-write-race

// Forgets the block's z coordinate, so two layers of blocks write one layer.

__global__ void fill(int *volume) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = threadIdx.z;
  int width = blockDim.x * gridDim.x;
  int height = blockDim.y * gridDim.y;
  volume[(z * height + y) * width + x] = x ^ y ^ blockIdx.z;
}
