//xfail:NOT_ALL_VERIFIED
//--local_size=2 --num_groups=2
//race

// A flag in global memory orders global memory only, not the local variable.

__kernel void message(__global atomic_int *flag, __global int *out) {
  __local int value;
  if (get_local_id(0) == 0) {
    value = 42;
    atomic_store_explicit(flag + get_group_id(0), 1, memory_order_release, memory_scope_device);
  } else {
    while (atomic_load_explicit(flag + get_group_id(0), memory_order_acquire, memory_scope_device) == 0)
      ;
    out[get_group_id(0)] = value;
  }
}
