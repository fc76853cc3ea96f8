//xfail:UNPROVEN
//--local_size=64 --num_groups=2
//race

// The barrier behind the start of the flag is about global memory: others may find anything.

__kernel void message(__global int *out) {
  __local int value;
  __local atomic_int flag;
  if (get_local_id(0) == 0)
    atomic_init(&flag, 0);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    value = 42;
    atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
  } else if (get_local_id(0) == 40) {
    while (atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group) == 0)
      ;
    out[get_group_id(0)] = value;
  }
}
