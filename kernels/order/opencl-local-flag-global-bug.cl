//xfail:UNPROVEN
//--local_size=2 --num_groups=2
//race

// A flag in local memory orders local memory only; runs take both memories for one.

__kernel void message(__global int *data, __global int *out) {
  __local atomic_int flag;
  if (get_local_id(0) == 0)
    atomic_init(&flag, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    data[get_group_id(0)] = 42;
    atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
  } else {
    while (atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group) != 1)
      ;
    out[get_group_id(0)] = data[get_group_id(0)];
  }
}
