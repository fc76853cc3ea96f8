//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//assertion

// Two of the values start out equal.

__global__ void rotation(int *out) {
  int x = 1, y = 2, z = 2;
  for (int i = 0; i < 100; i++) {
    int temp = x;
    x = y;
    y = z;
    z = temp;
  }
  __assert(x != y);
  out[threadIdx.x * 4 + x] = y;
}
