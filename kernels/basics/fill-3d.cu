//pass
//--blockDim=[4,4,4] --gridDim=[2,2,2]

// Three-dimensional blocks and grid; every thread fills its own cell of a cube.

__global__ void fill(int *volume) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  int width = blockDim.x * gridDim.x;
  int height = blockDim.y * gridDim.y;
  volume[(z * height + y) * width + x] = x ^ y ^ z;
}
