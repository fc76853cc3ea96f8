//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// Nobody waits for the copy: a barrier does not end it.

__kernel void copy_in(__global int *out, __global const int *in) {
  __local int s[64];
  async_work_group_copy(s, in + 64 * get_group_id(0), 64, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[63 - get_local_id(0)];
}
