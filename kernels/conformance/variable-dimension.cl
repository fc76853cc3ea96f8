//pass
//--local_size=[4,2,2] --num_groups=[3,1,2]

// buffers: out:uint:288
//
// The dimension of an identity function may be a variable.

__kernel void variable_dimension(__global uint *out) {
  uint flat = 0;
  uint groups = 0;
  uint locals = 1;
  for (int d = 2; d >= 0; d--) {
    flat = flat * get_global_size(d) + get_global_id(d);
    groups = groups * 10 + get_group_id(d);
    locals *= get_local_size(d);
  }
  out[3 * flat + 0] = flat;
  out[3 * flat + 1] = groups;
  out[3 * flat + 2] = locals;
}
