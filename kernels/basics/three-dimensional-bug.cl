//xfail:NOT_ALL_VERIFIED
//--local_size=[4,4,4] --num_groups=[2,2,2]
//write-write-race

// The flat index leaves out the group in z.

__kernel void fill(__global int *volume) {
  size_t x = get_global_id(0);
  size_t y = get_global_id(1);
  size_t z = get_local_id(2);
  size_t flat = (z * get_global_size(1) + y) * get_global_size(0) + x;
  volume[flat] = x ^ y ^ get_global_id(2);
}
