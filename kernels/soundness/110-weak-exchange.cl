//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1 --std=CL2.0

// A weak exchange may fail although the values are equal: then `expected` stays as it
// was, and every work-item writes the same element.

kernel void weak_exchange(global int *out, global atomic_int *p) {
  int expected = 5;
  bool done = atomic_compare_exchange_weak_explicit(p, &expected, 7, memory_order_relaxed,
                                                    memory_order_relaxed, memory_scope_device);
  if (!done && expected == 5)
    out[0] = get_local_id(0);
}
