//pass
//--local_size=32 --num_groups=1

// buffers: out:uchar:1024 a:uchar:512:random
//
// Sixteen-element vectors in halves, odd and even parts and hexadecimal selectors.

__kernel void swizzle_16(__global uchar16 *out, __global const uchar16 *a) {
  size_t i = get_global_id(0);
  uchar16 x = a[i];
  uchar16 y = (uchar16)(x.hi, x.lo);
  y.s0f = x.sa5;
  y.lo.even = x.hi.odd.lo.xyxy;
  out[2 * i + 0] = y;
  out[2 * i + 1] = x.sfedcba9876543210 + (uchar16)(x.s01234567, x.odd);
}
