//xfail:UNPROVEN
//--local_size=64 --num_groups=2
//race

// The fence of the writer is about global memory only; runs take both memories for one.

__kernel void message(__global int *out) {
  __local int value;
  __local atomic_int flag;
  if (get_local_id(0) == 0)
    atomic_init(&flag, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    value = 42;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
    atomic_store_explicit(&flag, 1, memory_order_relaxed, memory_scope_work_group);
  } else if (get_local_id(0) == 40) {
    while (atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_work_group) == 0)
      ;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
    out[get_group_id(0)] = value;
  }
}
