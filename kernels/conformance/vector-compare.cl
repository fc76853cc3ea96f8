//pass
//--local_size=32 --num_groups=2

// buffers: c:char:512 s:int:256 l:long:128 a:char:512:random b:char:512:random f:float:256:small
//
// A vector comparison yields minus one or zero in integers of the operands' width.

__kernel void vector_compare(__global char8 *c, __global int4 *s, __global long2 *l,
                             __global const char8 *a, __global const char8 *b,
                             __global const float4 *f) {
  size_t i = get_global_id(0);
  c[i] = (a[i] < b[i]) ^ ((a[i] == b[i]) & (char)3);
  s[i] = (f[i] >= f[i].yzwx) + (f[i] != 3.0f);
  l[i] = convert_long2(a[i].lo.lo) > convert_long2(b[i].hi.hi);
}
