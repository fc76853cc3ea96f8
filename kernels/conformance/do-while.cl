//pass
//--local_size=64 --num_groups=2

// buffers: out:uint:256 a:uint:128:random
//
// Loops whose bodies run before the first test: Euclid, and the digits of a number.

__kernel void do_while(__global uint *out, __global const uint *a) {
  size_t i = get_global_id(0);
  uint x = a[i] | 1u;
  uint y = a[(i + 1) % 128] | 1u;
  do {
    uint t = x % y;
    x = y;
    y = t;
  } while (y != 0);
  uint digits = 0;
  uint v = a[i] >> (i % 32);
  do {
    digits++;
    v /= 10;
  } while (v);
  out[2 * i + 0] = x;
  out[2 * i + 1] = digits;
}
