//pass
//--local_size=64 --num_groups=2

// All results are in place before the copy out begins.

__kernel void copy_out(__global int *out, __global const int *in) {
  __local int s[64];
  size_t l = get_local_id(0);
  s[l] = in[get_global_id(0)] * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out + 64 * get_group_id(0), s, 64, 0);
  wait_group_events(1, &e);
}
