//pass
//--local_size=[8,8] --num_groups=[2,2]

// Each work-item above the diagonal exchanges two elements.

__kernel void transpose_in_place(__global int *m) {
  int n = get_global_size(0);
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x > y) {
    int t = m[y * n + x];
    m[y * n + x] = m[x * n + y];
    m[x * n + y] = t;
  }
}
