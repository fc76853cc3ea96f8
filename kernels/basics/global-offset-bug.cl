//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=4 --global_offset=100
//write-write-race

// The second part starts 100 elements later, which is where the first part still goes on.

__kernel void shift(__global int *out) {
  size_t i = get_global_id(0);
  out[i] = get_group_id(0);
  out[i - get_global_offset(0) + 200] = get_local_id(0) + 1000;
}
