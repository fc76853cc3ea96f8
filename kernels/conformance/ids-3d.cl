//pass
//--local_size=[4,2,2] --num_groups=[2,2,2] --global_offset=[1,2,3]

// buffers: out:uint:256
//
// Three dimensions with an offset.

__kernel void ids_3d(__global uint *out) {
  size_t x = get_group_id(0) * get_local_size(0) + get_local_id(0);
  size_t y = get_group_id(1) * get_local_size(1) + get_local_id(1);
  size_t z = get_group_id(2) * get_local_size(2) + get_local_id(2);
  size_t flat = (z * get_global_size(1) + y) * get_global_size(0) + x;
  out[2 * flat] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);
  out[2 * flat + 1] = (get_group_id(0) << 8) + (get_group_id(1) << 4) + get_group_id(2);
}
