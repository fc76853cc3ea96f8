//pass
//--local_size=64 --num_groups=2

// Every work-item waits for the copy, though only half of them use it.

__kernel void some_wait(__global int *out, __global const int *in) {
  __local int s[64];
  event_t e = async_work_group_copy(s, in + 64 * get_group_id(0), 64, 0);
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 32)
    out[get_global_id(0)] = s[63 - get_local_id(0)];
}
