//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=[2,2]
//write-write-race

// Uses x as the slow dimension with the wrong factor.

__global__ void flat(int *out) {
  int thread = threadIdx.x * (blockDim.y - 1) + threadIdx.y;
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  out[block * (blockDim.x * blockDim.y) + thread] = threadIdx.x;
}
