//pass
//--local_size=32 --num_groups=2

// buffers: u:uchar:256 f:float:256 s:short:512 a:float:256:random b:int:512:random
//
// Vector conversions with rounding and saturation.

__kernel void convert_vector(__global uchar4 *u, __global float4 *f, __global short8 *s,
                             __global const float4 *a, __global const int8 *b) {
  size_t i = get_global_id(0);
  u[i] = convert_uchar4_sat_rte(a[i]);
  f[i] = convert_float4(u[i]) + convert_float4(b[i].lo);
  s[i] = convert_short8_sat(b[i] >> 12);
}
