//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[1,1]
//read-write-race

// Distances through k are read while the work-items of row and column k write theirs.

__kernel void shortest_paths(__global int *distance, int n) {
  __requires(n == 8);
  int x = get_local_id(0);
  int y = get_local_id(1);
  for (int k = 0; k < n; k++) {
    int through = add_sat(distance[y * n + k], distance[k * n + x]);
    distance[y * n + x] = min(distance[y * n + x], through);
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
