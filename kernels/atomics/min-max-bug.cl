//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//race

// The group's bounds are published by plain comparison and assignment.

__kernel void bounds(__global int *low, __global const int *in) {
  __local int group_low;
  int x = in[get_global_id(0)];
  if (get_local_id(0) == 0)
    group_low = INT_MAX;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_min(&group_low, x);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0 && group_low < *low)
    *low = group_low;
}
