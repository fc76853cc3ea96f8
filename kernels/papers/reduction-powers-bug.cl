//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
//read-write-race

// The pairs of a step form a chain: what one work-item writes, the next one reads.

__kernel void powers(__global int *data) {
  __local int s[128];
  uint l = get_local_id(0);
  s[2 * l] = data[2 * l];
  s[2 * l + 1] = data[2 * l + 1];
  uint offset = 1;
  for (uint d = 64; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d)
      s[offset * (l + 1)] += s[offset * l];
    offset <<= 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[2 * l] = s[2 * l];
  data[2 * l + 1] = s[2 * l + 1];
}
