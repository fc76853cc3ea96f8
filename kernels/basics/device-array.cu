//pass
//--blockDim=32 --gridDim=2

// A __device__ array as the output, and a __device__ table as the input.

__device__ int result[64];
__device__ const int weights[4] = {1, 3, 3, 1};

__global__ void weigh(const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = in[i] * weights[i & 3];
}
