//pass
//--local_size=32 --num_groups=2

// A bitonic network over 64 numbers: each work-item owns one comparison a step.

__kernel void bitonic_sort(__global int *data) {
  __local int s[64];
  uint l = get_local_id(0);
  __global int *part = data + 64 * get_group_id(0);
  s[l] = part[l];
  s[l + 32] = part[l + 32];
  for (uint size = 2; size <= 64; size *= 2) {
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint low = 2 * l - (l & (stride - 1));
      int x = s[low];
      int y = s[low + stride];
      if ((x > y) == ((l & (size / 2)) == 0)) {
        s[low] = y;
        s[low + stride] = x;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  part[l] = s[l];
  part[l + 32] = s[l + 32];
}
