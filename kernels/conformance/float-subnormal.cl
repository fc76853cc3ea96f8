//pass
//--local_size=64 --num_groups=2

// buffers: bits:uint:512 a:uint:128:random
//
// Subnormal numbers are kept, and overflow gives an infinity.

__kernel void float_subnormal(__global uint *bits, __global const uint *a) {
  size_t i = get_global_id(0);
  float tiny = as_float(a[i] & 0x007fffffu);
  float small_normal = as_float(0x00800000u | (a[i] & 0x007fffffu));
  float huge = as_float(0x7f000000u | (a[i] & 0x007fffffu));
  bits[4 * i + 0] = as_uint(tiny + small_normal);
  bits[4 * i + 1] = as_uint(small_normal * 0.5f);
  bits[4 * i + 2] = as_uint(huge + huge);
  bits[4 * i + 3] = as_uint(tiny * 3.0f) ^ as_uint(-tiny);
}
