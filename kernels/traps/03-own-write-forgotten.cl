//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// What a work-item wrote before a barrier may be overwritten after it by another.

__kernel void own_write(__global int *out) {
  __local int s[64];
  int l = get_local_id(0);
  int g = get_group_id(0);
  s[l] = 64 * g + l;
  barrier(CLK_LOCAL_MEM_FENCE);
  s[63 - l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    out[s[0]] = g;
}
