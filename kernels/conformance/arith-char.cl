//pass
//--local_size=64 --num_groups=2

// buffers: out:char:512 a:char:128:random b:char:128:random
//
// Arithmetic on char is done in int and narrowed when stored.

__kernel void arith_char(__global char *out, __global const char *a, __global const char *b) {
  size_t i = get_global_id(0);
  char x = a[i];
  char y = b[i];
  out[4 * i + 0] = x + y;
  out[4 * i + 1] = x - y;
  out[4 * i + 2] = x * y;
  out[4 * i + 3] = (x & y) ^ ~(x | y);
}
