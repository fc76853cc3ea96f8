//xfail:NOT_ALL_VERIFIED
//--local_size=2 --num_groups=1

// Planted bug: the two threads meet at the barrier in different rounds, so that one
// has asked for the copy before it and the other asks behind it.

__kernel void rounds(__global int *out, __global const int *in) {
  __local int s[2];
  int l = get_local_id(0);
  event_t e = 0;
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    if (i == l)
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (i == 0 && l == 0)
      sum += s[0];
    e = async_work_group_copy(s, in + 2 * i, 2, 0);
    wait_group_events(1, &e);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[l] = s[l] + sum;
}
