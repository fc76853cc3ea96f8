//pass
//--local_size=64 --num_groups=2

// buffers: out:uint:768 a:uint:128:random
//
// Reversal, interleaving, next power of two, Gray code and parity, without tables.

uint spread(uint x) {
  x &= 0xffff;
  x = (x | x << 8) & 0x00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f;
  x = (x | x << 2) & 0x33333333;
  return (x | x << 1) & 0x55555555;
}

uint reverse(uint x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return rotate(x & 0x00ff00ff, 24u) | rotate(x & 0xff00ff00, 8u);
}

__kernel void bit_tricks(__global uint *out, __global const uint *a) {
  size_t i = get_global_id(0);
  uint x = a[i];
  out[6 * i + 0] = reverse(x);
  out[6 * i + 1] = spread(x) | spread(x >> 16) << 1;
  out[6 * i + 2] = 1u << (32 - clz((x >> 4) - 1)) % 32;
  out[6 * i + 3] = x ^ x >> 1;
  out[6 * i + 4] = popcount(x) & 1;
  out[6 * i + 5] = x & -x;
}
