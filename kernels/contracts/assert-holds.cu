//pass
//--blockDim=64 --gridDim=2

// An assertion about the index.

__global__ void checked(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __assert(i < 128);
  a[i] = i;
}
