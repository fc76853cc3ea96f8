//pass
//--local_size=[4,4,4] --num_groups=[2,2,2]

// A flat index built from three ids and the sizes of the grid.

__kernel void fill(__global int *volume) {
  size_t x = get_global_id(0);
  size_t y = get_global_id(1);
  size_t z = get_global_id(2);
  size_t flat = (z * get_global_size(1) + y) * get_global_size(0) + x;
  volume[flat] = x ^ y ^ z;
}
