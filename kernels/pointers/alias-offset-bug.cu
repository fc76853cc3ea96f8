//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --may-alias
//race

// Planted bug: the second parameter may start one element behind the first.

__global__ void copy(int *a, const int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[i];
}
