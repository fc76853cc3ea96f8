//pass
//--local_size=32 --num_groups=2

// buffers: out:int:1024 a:int:256:random
//
// Swizzles as values and as destinations.

__kernel void swizzle_4(__global int4 *out, __global const int4 *a) {
  size_t i = get_global_id(0);
  int4 x = a[i];
  int4 y = x.wzyx;
  int4 z = (int4)(1, 2, 3, 4);
  z.xz = x.ww;
  z.y = x.s2;
  int4 w = (int4)(x.lo.y, x.hi.x, x.even);
  w.odd = y.s13;
  out[4 * i + 0] = y;
  out[4 * i + 1] = z;
  out[4 * i + 2] = w;
  out[4 * i + 3] = (int4)(x.xyz, y.w).s3012;
}
