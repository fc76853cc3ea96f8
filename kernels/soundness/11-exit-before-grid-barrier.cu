//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//(exit-before-barrier|barrier-divergence)

// A barrier of the grid waits for blocks that have returned, forever.

#include <cooperative_groups.h>

__global__ void exit_before(int *a) {
  if (blockIdx.x == 1)
    return;
  cooperative_groups::this_grid().sync();
  a[threadIdx.x] = 1;
}
