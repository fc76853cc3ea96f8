//xfail:NOT_ALL_VERIFIED
//--local_size=[16,16] --num_groups=[2,2]
//read-write-race

// No barrier between writing the tile and reading it the other way round.

#define TILE 16

__kernel void transpose(__global float *out, __global const float *in) {
  __local float tile[TILE][TILE + 1];
  size_t x = get_local_id(0);
  size_t y = get_local_id(1);
  size_t n = get_global_size(0);
  tile[y][x] = in[get_global_id(1) * n + get_global_id(0)];
  size_t column = get_group_id(1) * TILE + x;
  size_t row = get_group_id(0) * TILE + y;
  out[row * n + column] = tile[x][y];
}
