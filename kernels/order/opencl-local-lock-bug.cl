//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// The lock in local memory is taken relaxed.

__kernel void locked(__global int *out) {
  __local int total;
  __local atomic_int lock;
  if (get_local_id(0) == 0) {
    total = 0;
    atomic_init(&lock, 0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  while (atomic_exchange_explicit(&lock, 1, memory_order_relaxed, memory_scope_work_group) != 0)
    ;
  total += get_local_id(0);
  atomic_store_explicit(&lock, 0, memory_order_release, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = total;
}
