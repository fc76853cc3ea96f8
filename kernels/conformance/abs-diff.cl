//pass
//--local_size=32 --num_groups=2

// buffers: c:uchar:128 s:ushort:128 w:uint:128 l:ulong:128 a:ulong:64:random b:ulong:64:random
//
// abs() and abs_diff() have unsigned results, so the smallest number has an absolute value.

__kernel void abs_and_diff(__global uchar2 *c, __global ushort2 *s, __global uint2 *w,
                           __global ulong2 *l, __global const ulong *a,
                           __global const ulong *b) {
  size_t i = get_global_id(0);
  ulong x = i == 0 ? 0x8000000080008080UL : a[i];
  ulong y = b[i];
  c[i] = (uchar2)(abs((char)x), abs_diff((char)x, (char)y));
  s[i] = (ushort2)(abs((short)x), abs_diff((short)x, (short)y));
  w[i] = (uint2)(abs((int)x), abs_diff((int)x, (int)y));
  l[i] = (ulong2)(abs((long)x), abs_diff(x, y));
}
