//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//assertion-failed

// The source of the copy is a null pointer.

__kernel void null_source(__global int *out) {
  __local int s[64];
  event_t e = async_work_group_copy(s, (__global const int *)0, 64, 0);
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[63 - get_local_id(0)];
}
