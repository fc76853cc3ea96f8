//pass
//--local_size=32 --num_groups=2

// buffers: out:int:256 bytes:uchar:256 h:ushort:256 a:float:64:random b:ulong:64:random
//
// as_type keeps the bits; vectors are little-endian here.

__kernel void vector_reinterpret(__global int4 *out, __global uchar4 *bytes,
                                 __global ushort4 *h, __global const float *a,
                                 __global const ulong *b) {
  size_t i = get_global_id(0);
  int bits = as_int(a[i]);
  out[i] = (int4)(bits, as_int2(b[i]), as_int(as_uchar4(bits).wzyx));
  bytes[i] = as_uchar4(as_short2(bits).yx);
  h[i] = as_ushort4(b[i]);
}
