//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4 --strict
//exit-before-barrier

// Single threads leave before the barrier that the others wait at.

__global__ void few_blocks(int *data, int blocks) {
  __requires(blocks == 3);
  __shared__ int s[32];
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (gid >= 100)
    return;
  s[threadIdx.x] = data[gid];
  __syncthreads();
  data[gid] = s[threadIdx.x ^ 1];
}
