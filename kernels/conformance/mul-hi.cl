//pass
//--local_size=32 --num_groups=2

// buffers: s:int:256 u:uint:256 l:long:64 m:ulong:64 a:ulong:64:random b:ulong:64:random
//
// The high half of a product, signed and unsigned.

__kernel void mul_hi_all(__global int4 *s, __global uint4 *u, __global long *l,
                         __global ulong *m, __global const ulong *a, __global const ulong *b) {
  size_t i = get_global_id(0);
  ulong x = a[i];
  ulong y = b[i];
  s[i] = (int4)(mul_hi((char)x, (char)y), mul_hi((short)x, (short)y), mul_hi((int)x, (int)y),
                mad_hi((int)x, (int)y, 3));
  u[i] = (uint4)(mul_hi((uchar)x, (uchar)y), mul_hi((ushort)x, (ushort)y),
                 mul_hi((uint)x, (uint)y), mad_hi((uint)x, (uint)y, (uint)(x >> 32)));
  l[i] = mul_hi((long)x, (long)y);
  m[i] = mul_hi(x, y);
}
