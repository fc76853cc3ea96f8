//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// The two piles are one element apart in the same array.

__global__ void deal(const int *in, int *even, int *odd) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *to = i % 2 == 0 ? even : even + 1;
  to[i / 2] = i;
}
