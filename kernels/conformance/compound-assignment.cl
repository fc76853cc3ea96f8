//pass
//--local_size=64 --num_groups=2

// buffers: out:int:640 a:uchar:128:random
//
// Every compound assignment, on a variable narrower than int.

__kernel void compound_assignment(__global int *out, __global const uchar *a) {
  size_t i = get_global_id(0);
  uchar x = a[i];
  short y = (short)(x * 3);
  x += 100;
  out[5 * i + 0] = x++ + ++y;
  x -= y;
  x *= 5;
  out[5 * i + 1] = x-- - --y;
  y /= 7;
  y %= 31;
  y <<= 3;
  out[5 * i + 2] = y;
  x >>= 2;
  x |= 0x81;
  x &= y | 0xc3;
  x ^= 0xff;
  out[5 * i + 3] = x;
  y = -y;
  y >>= 1;
  out[5 * i + 4] = y;
}
