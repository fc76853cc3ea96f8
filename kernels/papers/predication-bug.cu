//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// The arms meet in one cell.

__global__ void arms(int *a) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid > 0)
    a[tid - 1] = tid;
  else
    a[0] = tid;
}
