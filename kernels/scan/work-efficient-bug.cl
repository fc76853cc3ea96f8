//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=2
//race

// The way down has no barriers between its steps.

__kernel void exclusive_scan(__global int *data) {
  __local int s[64];
  uint l = get_local_id(0);
  __global int *part = data + 64 * get_group_id(0);
  s[2 * l] = part[2 * l];
  s[2 * l + 1] = part[2 * l + 1];
  uint offset = 1;
  for (uint d = 32; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d)
      s[offset * (2 * l + 2) - 1] += s[offset * (2 * l + 1) - 1];
    offset *= 2;
  }
  if (l == 0)
    s[63] = 0;
  for (uint d = 1; d < 64; d *= 2) {
    offset >>= 1;
    if (l < d) {
      uint left = offset * (2 * l + 1) - 1;
      uint right = offset * (2 * l + 2) - 1;
      int t = s[left];
      s[left] = s[right];
      s[right] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  part[2 * l] = s[2 * l];
  part[2 * l + 1] = s[2 * l + 1];
}
