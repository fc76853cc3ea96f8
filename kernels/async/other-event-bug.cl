//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//barrier-divergence

// One half of the work-items waits for another event than the other half.

__kernel void other_event(__global int *out, __global const int *in) {
  __local int s[64];
  __local int r[64];
  event_t e[2];
  e[0] = async_work_group_copy(s, in, 64, 0);
  e[1] = async_work_group_copy(r, in + 64, 64, 0);
  event_t mine = get_local_id(0) < 32 ? e[0] : e[1];
  wait_group_events(1, &mine);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}
