//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//barrier-divergence

// The condition is on the global id, which divides the threads of a block.

__global__ void odd_blocks(int *data) {
  __shared__ int s[32];
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = data[gid];
  if (gid % 2 == 1) {
    __syncthreads();
    data[gid] = s[31 - threadIdx.x];
  }
  __syncthreads();
  s[threadIdx.x] = 0;
}
