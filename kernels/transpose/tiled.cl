//pass
//--local_size=[16,16] --num_groups=[2,2]

// A square matrix is transposed through a tile, so that reads and writes are both in rows.

#define TILE 16

__kernel void transpose(__global float *out, __global const float *in) {
  __local float tile[TILE][TILE + 1];
  size_t x = get_local_id(0);
  size_t y = get_local_id(1);
  size_t n = get_global_size(0);
  tile[y][x] = in[get_global_id(1) * n + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t column = get_group_id(1) * TILE + x;
  size_t row = get_group_id(0) * TILE + y;
  out[row * n + column] = tile[x][y];
}
