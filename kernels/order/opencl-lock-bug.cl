//xfail:NOT_ALL_VERIFIED
//--local_size=1 --num_groups=4
//race

// The lock is given back relaxed.

__kernel void locked(__global int *total, __global atomic_int *lock) {
  while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) != 0)
    ;
  total[0] += 1;
  atomic_store_explicit(lock, 0, memory_order_relaxed, memory_scope_device);
}
