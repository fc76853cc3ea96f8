//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --may-alias
//race

// Without the assumption the parameters may be one array.

__global__ void aliasing(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i + 1] = b[i];
}
