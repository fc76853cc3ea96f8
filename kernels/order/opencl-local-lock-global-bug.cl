//xfail:UNPROVEN
//--local_size=64 --num_groups=2
//race

// A lock in local memory guards nothing in global memory; runs take both memories for one.

__kernel void locked(__global int *total) {
  __local atomic_int lock;
  if (get_local_id(0) == 0)
    atomic_init(&lock, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire, memory_scope_work_group) != 0)
    ;
  total[get_group_id(0)] += get_local_id(0);
  atomic_store_explicit(&lock, 0, memory_order_release, memory_scope_work_group);
}
