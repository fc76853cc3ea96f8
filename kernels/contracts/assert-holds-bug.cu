//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//assertion

// The bound is one too small.

__global__ void checked(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __assert(i < 127);
  a[i] = i;
}
