//pass
//--local_size=64 --num_groups=1

// buffers: out:int:64 a:int:64:random
//
// Two-dimensional local and private arrays, and a pointer to a row.

__kernel void pointer_2d(__global int *out, __global const int *a) {
  __local int grid[8][8];
  int l = get_local_id(0);
  grid[l / 8][l % 8] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  __local int *row = grid[l % 8];
  int small[2][3];
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 3; c++)
      small[r][c] = row[r * 3 + c] & 0xffff;
  __local int(*column)[8] = &grid[2];
  out[l] = small[1][l % 3] - small[l % 2][0] + (column[l % 4][l / 8] >> 4);
}
