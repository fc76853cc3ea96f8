//pass
//--local_size=32 --num_groups=3 --global_offset=100

// buffers: out:uint:768
//
// Every identity function in one dimension, with an offset; the others have trivial values.

__kernel void ids_1d_offset(__global uint *out) {
  __global uint *o = out + 8 * (get_global_id(0) - get_global_offset(0));
  o[0] = get_global_id(0);
  o[1] = get_local_id(0);
  o[2] = get_group_id(0);
  o[3] = get_global_size(0);
  o[4] = get_local_size(0) + get_num_groups(0) * 1000;
  o[5] = get_global_offset(0);
  o[6] = get_work_dim();
  o[7] = get_global_id(1) + 10 * get_local_size(1) + 100 * get_num_groups(2);
}
