//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2

// The value is off by one.

__global__ void fill(int *a, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __ensures(a[i] == value);
  a[i] = value + 1;
}
