//pass
//--local_size=64 --num_groups=2

// buffers: out:uint:768 a:uint:128:random b:uint:128:random
//
// Unsigned arithmetic wraps.

__kernel void arith_uint(__global uint *out, __global const uint *a, __global const uint *b) {
  size_t i = get_global_id(0);
  uint x = a[i];
  uint y = b[i];
  out[6 * i + 0] = x + y;
  out[6 * i + 1] = x - y;
  out[6 * i + 2] = x * y;
  out[6 * i + 3] = -x;
  out[6 * i + 4] = x > y;
  out[6 * i + 5] = x ^ (y << 5) ^ (y >> 27);
}
