//pass
//--local_size=1 --num_groups=4

// A lock by exchange, with acquire and release.

__kernel void locked(__global int *total, __global atomic_int *lock) {
  while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) != 0)
    ;
  total[0] += 1;
  atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
