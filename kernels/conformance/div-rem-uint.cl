//pass
//--local_size=64 --num_groups=2

// buffers: out:uint:512 a:uint:128:random b:ushort:128:random
//
// Unsigned division, by variables and by constants.

__kernel void div_rem_uint(__global uint *out, __global const uint *a, __global const ushort *b) {
  size_t i = get_global_id(0);
  uint x = a[i];
  uint y = b[i] | 1u;
  out[4 * i + 0] = x / y;
  out[4 * i + 1] = x % y;
  out[4 * i + 2] = x / 10 + x % 10;
  out[4 * i + 3] = 0xffffffffu / (x | 1u);
}
