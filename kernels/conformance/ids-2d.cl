//pass
//--local_size=[8,4] --num_groups=[2,3] --global_offset=[5,7]

// buffers: out:uint:768
//
// Two dimensions with an offset: x runs fastest.

__kernel void ids_2d(__global uint *out) {
  size_t x = get_global_id(0) - get_global_offset(0);
  size_t y = get_global_id(1) - get_global_offset(1);
  __global uint *o = out + 4 * (y * get_global_size(0) + x);
  o[0] = get_global_id(1) * 100 + get_global_id(0);
  o[1] = get_local_id(1) * 100 + get_local_id(0);
  o[2] = get_group_id(1) * 100 + get_group_id(0);
  o[3] = get_work_dim() + get_global_size(1) * 100;
}
