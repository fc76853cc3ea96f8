//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1

// The fraction of infinity is 0, and that of NaN is NaN, whatever `fmin` would yield.

kernel void fraction_of_infinity(global int *out, float x) {
  float whole;
  float fraction = fract(x, &whole);
  if (as_uint(fraction) != as_uint(fmin(x - floor(x), 0x1.fffffep-1f)))
    out[0] = get_local_id(0);
}
