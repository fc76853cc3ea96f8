//pass
//--local_size=64 --num_groups=2

// buffers: out:int:512 a:int:128:random b:char:128:random
//
// Signed division truncates toward zero and the remainder has the dividend's sign.

__kernel void div_rem_int(__global int *out, __global const int *a, __global const char *b) {
  size_t i = get_global_id(0);
  int x = a[i];
  int y = b[i];
  if (y == 0 || y == -1)
    y = 7;
  out[4 * i + 0] = x / y;
  out[4 * i + 1] = x % y;
  out[4 * i + 2] = (x / y) * y + x % y == x;
  out[4 * i + 3] = x / 16 - (x >> 4);
}
