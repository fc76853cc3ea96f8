//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --kernel-args=spread,0x0
//write-write-race

// With a stride of zero all threads write one cell.

__global__ void spread(int *a, int stride) {
  a[(blockIdx.x * blockDim.x + threadIdx.x) * stride] = threadIdx.x;
}
