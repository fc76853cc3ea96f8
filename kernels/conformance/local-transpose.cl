//pass
//--local_size=[8,8] --num_groups=[3,2]

// buffers: out:int:384 a:int:384:random
//
// A 24 by 16 matrix is transposed through padded tiles.

__kernel void local_transpose(__global int *out, __global const int *a) {
  __local int tile[8][9];
  size_t x = get_local_id(0);
  size_t y = get_local_id(1);
  tile[y][x] = a[get_global_id(1) * get_global_size(0) + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t column = get_group_id(1) * 8 + x;
  size_t row = get_group_id(0) * 8 + y;
  out[row * get_global_size(1) + column] = tile[x][y];
}
