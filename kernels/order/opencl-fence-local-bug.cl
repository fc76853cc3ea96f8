//xfail:UNPROVEN
//--local_size=1 --num_groups=2
//race

// The fence of the writer is about local memory only; runs take both memories for one.

__kernel void message(__global int *data, __global atomic_int *flag, __global int *out) {
  if (get_group_id(0) == 0) {
    data[0] = 42;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_device);
    atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
  } else {
    while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device) != 1)
      ;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    out[0] = data[0];
  }
}
