//pass
//--local_size=32 --num_groups=4 --global_offset=100

// With a global offset the first element touched is number 100.

__kernel void shift(__global int *out) {
  size_t i = get_global_id(0);
  out[i] = get_group_id(0);
  out[i - get_global_offset(0) + 1000] = get_local_id(0);
}
