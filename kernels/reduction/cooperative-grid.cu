//pass
//--blockDim=32 --gridDim=4

// Two phases in one kernel, separated by a barrier of the whole grid.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void reduce(const int *in, int *partial, int *out) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 32; i++)
      sum += in[blockIdx.x * 32 + i];
    partial[blockIdx.x] = sum;
  }
  grid.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += partial[b];
    *out = sum;
  }
}
