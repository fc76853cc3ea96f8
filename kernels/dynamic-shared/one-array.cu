//pass
//--blockDim=64 --gridDim=2

// The size of the shared array comes with the launch.

extern __shared__ int cells[];

__global__ void reverse(int *data) {
  int base = blockIdx.x * blockDim.x;
  cells[threadIdx.x] = data[base + threadIdx.x];
  __syncthreads();
  data[base + threadIdx.x] = cells[blockDim.x - 1 - threadIdx.x];
}
