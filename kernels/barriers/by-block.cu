//pass
//--blockDim=32 --gridDim=4

// Only some blocks meet the barrier, but each block agrees with itself.

__global__ void odd_blocks(int *data) {
  __shared__ int s[32];
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = data[gid];
  if (blockIdx.x % 2 == 1) {
    __syncthreads();
    data[gid] = s[31 - threadIdx.x];
  }
}
