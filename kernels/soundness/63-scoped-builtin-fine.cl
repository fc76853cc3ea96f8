//pass
//--local_size=64 --num_groups=2

// The sum is atomic for the whole device.

kernel void scoped_builtin(global int *sum) {
  __scoped_atomic_fetch_add(sum, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
