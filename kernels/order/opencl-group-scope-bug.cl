//xfail:NOT_ALL_VERIFIED
//--local_size=1 --num_groups=2
//race

// Both sides name the scope of the work-group, and are in two.

__kernel void message(__global int *data, __global atomic_int *flag, __global int *out) {
  if (get_group_id(0) == 0) {
    data[0] = 42;
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_work_group);
  } else {
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_work_group) != 1)
      ;
    out[0] = data[0];
  }
}
