//pass
//--local_size=32 --num_groups=2

// buffers: s:int:256 u:uint:256 l:long:128 a:ulong:64:random b:ulong:64:random
//
// Averages that never overflow, rounded down and up.

__kernel void hadd_rhadd(__global int4 *s, __global uint4 *u, __global long2 *l,
                         __global const ulong *a, __global const ulong *b) {
  size_t i = get_global_id(0);
  ulong x = a[i];
  ulong y = b[i];
  s[i] = (int4)(hadd((char)x, (char)y), rhadd((short)x, (short)y), hadd((int)x, (int)y),
                rhadd((int)x, (int)y));
  u[i] = (uint4)(rhadd((uchar)x, (uchar)y), hadd((ushort)x, (ushort)y), hadd((uint)x, (uint)y),
                 rhadd((uint)x, (uint)y));
  l[i] = (long2)(hadd((long)x, (long)y), (long)rhadd(x, y));
}
