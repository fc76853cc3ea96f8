//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//assertion-failed

// The destination of the copy is a null pointer.

__kernel void null_target(__global int *out, __global const int *in) {
  event_t e = async_work_group_copy((__local int *)0, in, 64, 0);
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}
