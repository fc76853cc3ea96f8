//pass
//--local_size=64 --num_groups=1

// A reduction whose two counters are powers of two with a constant product.

__kernel void powers(__global int *data) {
  __local int s[128];
  uint l = get_local_id(0);
  s[2 * l] = data[2 * l];
  s[2 * l + 1] = data[2 * l + 1];
  uint offset = 1;
  for (uint d = 64; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d)
      s[offset * (2 * l + 2) - 1] += s[offset * (2 * l + 1) - 1];
    offset <<= 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[2 * l] = s[2 * l];
  data[2 * l + 1] = s[2 * l + 1];
}
