//pass
//--local_size=[8,8] --num_groups=[2,2]

// buffers: c:int:256 a:int:256:small b:int:256:small
// scalars: n=16
//
// Integer matrix product with tiles in local memory.

__kernel void matrix_multiply(__global int *c, __global const int *a, __global const int *b,
                              int n) {
  __local int ta[8][8];
  __local int tb[8][8];
  int x = get_local_id(0);
  int y = get_local_id(1);
  int row = get_global_id(1);
  int column = get_global_id(0);
  int sum = 0;
  for (int t = 0; t < n; t += 8) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
      sum += ta[y][k] * tb[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
