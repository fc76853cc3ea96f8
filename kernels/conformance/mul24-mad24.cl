//pass
//--local_size=64 --num_groups=2

// buffers: s:int:256 u:uint:256 a:int:128:random b:int:128:random
//
// 24-bit multiplication, with operands that fit 24 bits and products that fit 32.

__kernel void mul24_mad24(__global int *s, __global uint *u, __global const int *a,
                          __global const int *b) {
  size_t i = get_global_id(0);
  int x = a[i] >> 16;
  int y = b[i] >> 20;
  uint p = (uint)a[i] >> 8;
  uint q = (uint)b[i] >> 24;
  s[2 * i + 0] = mul24(x, y);
  s[2 * i + 1] = mad24(x, y, 77);
  u[2 * i + 0] = mul24(p, q);
  u[2 * i + 1] = mad24(p, q, 0xfffffff0u);
}
