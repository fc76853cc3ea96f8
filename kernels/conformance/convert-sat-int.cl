//pass
//--local_size=32 --num_groups=2

// buffers: c:char:128 u:uchar:128 s:short:128 w:uint:128 a:int:64:random b:long:64:random
//
// Saturating conversions between integer types.

__kernel void convert_sat_int(__global char2 *c, __global uchar2 *u, __global short2 *s,
                              __global uint2 *w, __global const int *a,
                              __global const long *b) {
  size_t i = get_global_id(0);
  int x = a[i] >> (i % 32);
  long y = b[i] >> (i % 64);
  c[i] = (char2)(convert_char_sat(x), convert_char_sat((uint)x));
  u[i] = (uchar2)(convert_uchar_sat(x), convert_uchar_sat(y));
  s[i] = (short2)(convert_short_sat(y), convert_short_sat((uchar)x));
  w[i] = (uint2)(convert_uint_sat(x), convert_uint_sat(y));
}
