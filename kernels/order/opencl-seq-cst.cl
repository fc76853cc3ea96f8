//pass
//--local_size=1 --num_groups=2

// Without an order an operation is sequentially consistent.

__kernel void message(__global int *data, __global atomic_int *flag, __global int *out) {
  if (get_group_id(0) == 0) {
    data[0] = 42;
    atomic_store(flag, 1);
  } else {
    while (atomic_load(flag) != 1)
      ;
    out[0] = data[0];
  }
}
