//pass
//--local_size=64 --num_groups=2

// buffers: out:ulong:256 a:ulong:128:random
//
// A random generator in 64-bit arithmetic, and a 32-bit twister step.

__kernel void xorshift(__global ulong2 *out, __global const ulong *a) {
  size_t i = get_global_id(0);
  ulong s = a[i] | 1;
  uint word = (uint)s;
  for (int k = 0; k < 20; k++) {
    s ^= s >> 12;
    s ^= s << 25;
    s ^= s >> 27;
    uint y = (word & 0x80000000u) | ((uint)s & 0x7fffffffu);
    word = (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0) ^ (word << 7);
  }
  out[i] = (ulong2)(s * 0x2545f4914f6cdd1dUL, word);
}
