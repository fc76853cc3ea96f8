//pass
//--local_size=64 --num_groups=2

// buffers: out:long:640 a:long:128:random b:int:128:random
//
// Mixed widths: an int operand is sign-extended before it meets a long.

__kernel void arith_long(__global long *out, __global const long *a, __global const int *b) {
  size_t i = get_global_id(0);
  long x = a[i] >> 2;
  int y = b[i];
  out[5 * i + 0] = x + y;
  out[5 * i + 1] = x - (long)y;
  out[5 * i + 2] = (x >> 33) * y;
  out[5 * i + 3] = (int)x;
  out[5 * i + 4] = x < y;
}
