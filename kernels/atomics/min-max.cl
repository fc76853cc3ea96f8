//pass
//--local_size=64 --num_groups=4

// The bounds of an array by atomic minimum and maximum, after a first round per group.

__kernel void bounds(__global int *low, __global int *high, __global const int *in) {
  __local int group_low;
  __local int group_high;
  int x = in[get_global_id(0)];
  if (get_local_id(0) == 0) {
    group_low = INT_MAX;
    group_high = INT_MIN;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_min(&group_low, x);
  atomic_max(&group_high, x);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    atomic_min(low, group_low);
    atomic_max(high, group_high);
  }
}
