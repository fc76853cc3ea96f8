//pass
//--local_size=32 --num_groups=2

// buffers: c:char:256 u:ushort:256 w:int:256 l:ulong:128 a:ulong:64:random b:ulong:64:random
//
// Saturating addition and subtraction.

__kernel void add_sub_sat(__global char4 *c, __global ushort4 *u, __global int4 *w,
                          __global ulong2 *l, __global const ulong *a,
                          __global const ulong *b) {
  size_t i = get_global_id(0);
  ulong x = a[i];
  ulong y = b[i];
  c[i] = (char4)(add_sat((char)x, (char)y), sub_sat((char)x, (char)y),
                 as_char(add_sat((uchar)x, (uchar)y)), as_char(sub_sat((uchar)x, (uchar)y)));
  u[i] = (ushort4)(add_sat((ushort)x, (ushort)y), sub_sat((ushort)x, (ushort)y),
                   as_ushort(add_sat((short)x, (short)y)),
                   as_ushort(sub_sat((short)x, (short)y)));
  w[i] = (int4)(add_sat((int)x, (int)y), sub_sat((int)x, (int)y),
                as_int(add_sat((uint)x, (uint)y)), as_int(sub_sat((uint)x, (uint)y)));
  l[i] = (ulong2)(add_sat(x, y), as_ulong(sub_sat((long)x, (long)y)));
}
