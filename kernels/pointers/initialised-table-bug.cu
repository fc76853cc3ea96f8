//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Two entries of the table are the same.

__device__ const int quarter[4] = {0, 16, 32, 48};

__global__ void tables(int *a) {
  const int order[4] = {2, 0, 2, 1};
  int lane = threadIdx.x % 4;
  a[quarter[order[lane]] + threadIdx.x / 4] = threadIdx.x;
}
