//pass
//--local_size=64 --num_groups=2

// buffers: out:int:768 a:int:128:random b:int:128:random
//
// Operands are brought into a range in which no signed operation overflows.

__kernel void arith_int(__global int *out, __global const int *a, __global const int *b) {
  size_t i = get_global_id(0);
  int x = a[i] >> 8;
  int y = b[i] >> 8;
  out[6 * i + 0] = x + y;
  out[6 * i + 1] = x - y;
  out[6 * i + 2] = (x >> 9) * (y >> 9);
  out[6 * i + 3] = -x;
  out[6 * i + 4] = x < y ? x : y;
  out[6 * i + 5] = (x & y) | (~x & 0x0f0f0f0f);
}
