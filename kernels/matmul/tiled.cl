//pass
//--local_size=[16,16] --num_groups=[2,2]

// Tiles of both factors are shared by a group; two barriers a tile.

#define TILE 16

__kernel void matmul(__global float *c, __global const float *a, __global const float *b, int n) {
  __requires(n == 32);
  __local float ta[TILE][TILE];
  __local float tb[TILE][TILE];
  int x = get_local_id(0);
  int y = get_local_id(1);
  int row = get_global_id(1);
  int column = get_global_id(0);
  float sum = 0.0f;
  for (int t = 0; t < n; t += TILE) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k++)
      sum += ta[y][k] * tb[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
