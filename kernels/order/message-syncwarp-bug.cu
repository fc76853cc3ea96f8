//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// A warp barrier of one lane is no fence.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;
      __syncwarp(1);
      atomicExch(flag, 1);
    }
  } else if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
