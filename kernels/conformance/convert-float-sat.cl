//pass
//--local_size=32 --num_groups=2

// buffers: c:char:64 u:uchar:64 s:short:64 w:int:64 x:uint:64 a:float:64:random
//
// Saturating conversions of floats far outside the range of the integer type; NaN becomes 0.

__kernel void float_to_int_sat(__global char *c, __global uchar *u, __global short *s,
                               __global int *w, __global uint *x, __global const float *a) {
  size_t i = get_global_id(0);
  float v = a[i] * (i & 1 ? 1.0f : 65536.0f);
  if (i == 5)
    v = INFINITY;
  if (i == 6)
    v = -INFINITY;
  if (i == 7)
    v = NAN;
  c[i] = convert_char_sat(v);
  u[i] = convert_uchar_sat(v);
  s[i] = convert_short_sat(v);
  w[i] = convert_int_sat(v);
  x[i] = convert_uint_sat(v);
}
