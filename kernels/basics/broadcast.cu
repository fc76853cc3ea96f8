//pass
//--blockDim=64 --gridDim=2

// One thread sets a shared value that the whole block then uses.

__global__ void subtract_pivot(int *a) {
  __shared__ int pivot;
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    pivot = a[blockIdx.x * blockDim.x];
  __syncthreads();
  a[gid] -= pivot;
}
