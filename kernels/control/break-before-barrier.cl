//pass
//--local_size=32 --num_groups=2

// A search loop that work-items leave early, and one barrier after it for all.

__kernel void find(__global int *out, __global const int *a, int key, int n) {
  __requires(n >= 0);
  __requires(n <= 100000);
  __local int place[32];
  int l = get_local_id(0);
  place[l] = -1;
  for (int i = l; i < n; i += 32) {
    if (a[i] == key) {
      place[l] = i;
      break;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    int best = -1;
    for (int k = 0; k < 32; k++)
      best = max(best, place[k]);
    out[get_group_id(0)] = best;
  }
}
