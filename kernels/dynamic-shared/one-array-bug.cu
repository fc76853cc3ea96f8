//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

// No barrier.

extern __shared__ int cells[];

__global__ void reverse(int *data) {
  int base = blockIdx.x * blockDim.x;
  cells[threadIdx.x] = data[base + threadIdx.x];
  data[base + threadIdx.x] = cells[blockDim.x - 1 - threadIdx.x];
}
