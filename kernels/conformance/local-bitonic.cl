//pass
//--local_size=64 --num_groups=2

// buffers: data:int:256:random
//
// Each group sorts 128 numbers with a bitonic network.

__kernel void local_bitonic(__global int *data) {
  __local int s[128];
  uint l = get_local_id(0);
  __global int *part = data + 128 * get_group_id(0);
  s[l] = part[l];
  s[l + 64] = part[l + 64];
  for (uint size = 2; size <= 128; size <<= 1) {
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint low = 2 * l - (l & (stride - 1));
      bool up = (l & (size >> 1)) == 0;
      int x = s[low];
      int y = s[low + stride];
      if ((x > y) == up) {
        s[low] = y;
        s[low + stride] = x;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  part[l] = s[l];
  part[l + 64] = s[l + 64];
}
