//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// The copy out begins while results are still being written.

__kernel void copy_out(__global int *out, __global const int *in) {
  __local int s[64];
  size_t l = get_local_id(0);
  s[l] = in[get_global_id(0)] * 2;
  event_t e = async_work_group_copy(out + 64 * get_group_id(0), s, 64, 0);
  wait_group_events(1, &e);
}
