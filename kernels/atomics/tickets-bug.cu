//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// Half of the tickets are drawn from the other end of the same range.

__global__ void draw(unsigned *next, int *owner) {
  unsigned ticket = threadIdx.x & 1 ? atomicAdd(next, 1u) : atomicSub(next, 1u);
  owner[ticket] = blockIdx.x * blockDim.x + threadIdx.x;
}
