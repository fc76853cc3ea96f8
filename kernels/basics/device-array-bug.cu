//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// Both blocks write the same half of the array.

__device__ int result[64];
__device__ const int weights[4] = {1, 3, 3, 1};

__global__ void weigh(const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[threadIdx.x] = in[i] * weights[i & 3] + (int)blockIdx.x;
}
