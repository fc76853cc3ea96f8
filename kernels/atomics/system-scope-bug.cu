//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// One block adds with block scope only.

__global__ void count(unsigned *cell) {
  if (blockIdx.x == 1)
    atomicAdd_block(cell, 1u);
  else
    atomicAdd(cell, 2u);
}
