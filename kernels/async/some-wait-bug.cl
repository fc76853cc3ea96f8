//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//barrier-divergence

// Only half of the work-items wait for the copy.

__kernel void some_wait(__global int *out, __global const int *in) {
  __local int s[64];
  event_t e = async_work_group_copy(s, in + 64 * get_group_id(0), 64, 0);
  if (get_local_id(0) < 32)
    wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}
