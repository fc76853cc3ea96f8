//pass
//--gridDim=*

#include <cooperative_groups.h>

// The rank in the grid, for any launch: along y and z there is one thread and one block,
// since nobody asks for an id or a size there.

namespace cg = cooperative_groups;

__global__ void fill(int *out) {
  auto grid = cg::this_grid();
  out[grid.thread_rank()] = 1;
}
