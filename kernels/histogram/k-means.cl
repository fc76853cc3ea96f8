//pass
//--local_size=64 --num_groups=4

// A step of k-means: the nearest centre of each point, and the number of points of each.

__kernel void assign(__global int *nearest, __global int *members, __global const float2 *point,
                     __constant float2 *centre, int k) {
  int i = get_global_id(0);
  int best = 0;
  float best_distance = INFINITY;
  for (int c = 0; c < k; c++) {
    float2 d = point[i] - centre[c];
    float distance = d.x * d.x + d.y * d.y;
    if (distance < best_distance) {
      best_distance = distance;
      best = c;
    }
  }
  nearest[i] = best;
  atomic_inc(&members[best]);
}
