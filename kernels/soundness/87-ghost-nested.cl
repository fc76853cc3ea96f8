//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
//assertion-failed

// The cell that tells which one to read is changed by work item 0 meanwhile.

kernel void nested(local int *restrict index, local int *restrict s) {
  uint t = get_local_id(0);
  s[t] = t;
  index[t] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  __non_temporal_loads_begin();
  int v = s[index[0] & 63];
  __non_temporal_loads_end();
  if (t == 0)
    index[0] = 2;
  __unsafe_assert(__implies(t != 0, s[index[0] & 63] == v));
}
