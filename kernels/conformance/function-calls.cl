//pass
//--local_size=64 --num_groups=2

// buffers: out:uint:256 a:uint:128:random
//
// Functions that call functions, with results through pointers and early returns.

uint mix(uint x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  return x ^ x >> 15;
}

bool split(uint x, uint *high, uint *low) {
  if (x < 0x10000u)
    return false;
  *high = x >> 16;
  *low = x & 0xffffu;
  return true;
}

uint depth(uint x) {
  uint high;
  uint low;
  uint n = 0;
  while (split(x, &high, &low)) {
    x = high * low >> (n & 3);
    if (++n == 12)
      return 100 + mix(x) % 7;
  }
  return n;
}

__kernel void function_calls(__global uint *out, __global const uint *a) {
  size_t i = get_global_id(0);
  out[2 * i + 0] = depth(mix(a[i]));
  out[2 * i + 1] = mix(mix(a[i]) + (uint)i);
}
