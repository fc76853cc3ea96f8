//pass
//--blockDim=64 --gridDim=1

// Places from tables that the source initialises: in registers' memory, and as a constant.

__device__ const int quarter[4] = {0, 16, 32, 48};

__global__ void tables(int *a) {
  const int order[4] = {2, 0, 3, 1};
  int lane = threadIdx.x % 4;
  a[quarter[order[lane]] + threadIdx.x / 4] = threadIdx.x;
}
