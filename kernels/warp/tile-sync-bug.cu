//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The same with tiles of 8, each of which reads what the next tile of 8 wrote.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void tiles(int *out) {
  __shared__ int x[64];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int rank = block.thread_rank();
  x[rank] = rank;
  tile.sync();
  out[blockIdx.x * 64 + rank] = x[rank ^ 8];
}
