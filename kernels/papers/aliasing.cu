//pass
//--blockDim=64 --gridDim=2

// Engineering, section 5: race-free only because the two parameters are taken to be distinct arrays.

__global__ void aliasing(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i + 1] = b[i];
}
