//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --may-alias
//write-write-race

// Two names of one array.

__global__ void pointer_equal(int *a, int *b) {
  if (a == b)
    a[0] = threadIdx.x;
}
