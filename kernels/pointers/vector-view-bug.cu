//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// Pairs that start at every element overlap.

__global__ void swap_pairs(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int2 *pair = (int2 *)(a + i);
  *pair = make_int2(pair->y, pair->x);
}
