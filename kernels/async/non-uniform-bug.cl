//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=1

// Half of the group asks for the copy: all work-items of a group must.

__kernel void half_asks(__global int *out, __global const int *in) {
  __local int s[32];
  if (get_local_id(0) < 16) {
    event_t e = async_work_group_copy(s, in, 32, 0);
    wait_group_events(1, &e);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(0)] = s[get_local_id(0)];
}
