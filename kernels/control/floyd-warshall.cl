//pass
//--local_size=[8,8] --num_groups=[1,1]

// All shortest paths in one group: old distances are read, then all meet, then new ones written.

__kernel void shortest_paths(__global int *distance, int n) {
  __requires(n == 8);
  int x = get_local_id(0);
  int y = get_local_id(1);
  for (int k = 0; k < n; k++) {
    int through = add_sat(distance[y * n + k], distance[k * n + x]);
    int direct = distance[y * n + x];
    barrier(CLK_GLOBAL_MEM_FENCE);
    distance[y * n + x] = min(direct, through);
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
