//pass
//--local_size=64 --num_groups=4

// The branch depends on the group, so all work-items of a group take the same way.

__kernel void reverse_even_groups(__global int *data) {
  __local int s[64];
  size_t l = get_local_id(0);
  if (get_group_id(0) % 2 == 0) {
    s[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = s[63 - l];
  }
}
