//pass
//--local_size=32 --num_groups=2

// buffers: c:char:256 l:long:256 a:int:256:random
//
// Conversions without _sat keep the low bits or extend by the sign of the source.

__kernel void convert_int_wrap(__global char4 *c, __global ulong4 *l, __global const int4 *a) {
  size_t i = get_global_id(0);
  c[i] = convert_char4(a[i]);
  l[i] = convert_ulong4(a[i]) ^ convert_ulong4(as_uint4(a[i]));
}
