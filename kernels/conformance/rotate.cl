//pass
//--local_size=32 --num_groups=2

// buffers: c:uchar:64 s:ushort:64 w:uint:64 l:ulong:64 v:uint:256 a:ulong:64:random n:uint:64:random
//
// rotate() in every width, with any count.

__kernel void rotate_all(__global uchar *c, __global ushort *s, __global uint *w,
                         __global ulong *l, __global uint4 *v, __global const ulong *a,
                         __global const uint *n) {
  size_t i = get_global_id(0);
  ulong x = a[i];
  uint k = n[i];
  c[i] = rotate((uchar)x, (uchar)k);
  s[i] = rotate((ushort)x, (ushort)k);
  w[i] = rotate((uint)x, k);
  l[i] = rotate(x, (ulong)k);
  v[i] = rotate((uint4)((uint)x, (uint)(x >> 32), k, ~k), (uint4)(k, 31, 0, 33));
}
