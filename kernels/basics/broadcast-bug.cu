//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

// The other threads may use the pivot before it is set.

__global__ void subtract_pivot(int *a) {
  __shared__ int pivot;
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    pivot = a[blockIdx.x * blockDim.x];
  a[gid] -= pivot;
}
