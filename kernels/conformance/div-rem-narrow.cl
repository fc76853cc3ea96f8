//pass
//--local_size=64 --num_groups=2

// buffers: s:short:512 a:short:128:random b:char:128:random
//
// Narrow operands are divided in int: even the smallest short may be divided by minus one.

__kernel void div_rem_narrow(__global short *s, __global const short *a, __global const char *b) {
  size_t i = get_global_id(0);
  short x = a[i];
  char y = b[i] == 0 ? 5 : b[i];
  uchar z = (uchar)y;
  s[4 * i + 0] = x / y;
  s[4 * i + 1] = x % y;
  s[4 * i + 2] = (ushort)x / z;
  s[4 * i + 3] = (short)-32768 / (short)(i == 3 ? -1 : 3);
}
