//pass
//--local_size=64 --num_groups=1 --std=CL2.0

// A strong exchange fails only if another value was there, which `expected` then is.

kernel void strong_exchange(global int *out, global atomic_int *p) {
  int expected = 5;
  bool done = atomic_compare_exchange_strong_explicit(p, &expected, 7, memory_order_relaxed,
                                                    memory_order_relaxed, memory_scope_device);
  if (!done && expected == 5)
    out[0] = get_local_id(0);
}
