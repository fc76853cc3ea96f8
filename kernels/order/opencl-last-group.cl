//pass
//--local_size=1 --num_groups=4

// The last work-group adds up what all have written.

__kernel void last(__global int *part, __global atomic_uint *done, __global int *total) {
  part[get_group_id(0)] = get_group_id(0);
  uint before = atomic_fetch_add_explicit(done, 1, memory_order_acq_rel, memory_scope_device);
  if (before == get_num_groups(0) - 1)
    for (uint i = 0; i < get_num_groups(0); i++)
      total[0] += part[i];
}
