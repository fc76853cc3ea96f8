//pass
//--local_size=64 --num_groups=2

// Every work-item waits for both events.

__kernel void other_event(__global int *out, __global const int *in) {
  __local int s[64];
  __local int r[64];
  event_t e[2];
  e[0] = async_work_group_copy(s, in, 64, 0);
  e[1] = async_work_group_copy(r, in + 64, 64, 0);
  wait_group_events(2, e);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[63 - get_local_id(0)] + r[get_local_id(0)];
}
