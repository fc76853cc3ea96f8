//pass
//--local_size=32 --num_groups=2

// buffers: out:int:256 bytes:uchar:1024 a:int:320:random b:uchar:1024:random
//
// vload and vstore need only the alignment of the element.

__kernel void vload_vstore(__global int *out, __global uchar *bytes, __global const int *a,
                           __global const uchar *b) {
  size_t i = get_global_id(0);
  int4 x = vload4(i, a + 1);
  int2 y = vload2(i, a + 3);
  x.xy = (y & 0xffff) - (x.xy >> 1);
  vstore4(x.yxwz, i, out);
  uchar16 z = vload16(i, b);
  vstore8(z.lo, 2 * i + 1, bytes);
  vstore4(z.hi.lo, 4 * i, bytes);
  vstore4(z.hi.hi, 4 * i + 1, bytes);
}
