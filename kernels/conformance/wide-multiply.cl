//pass
//--local_size=64 --num_groups=1

// buffers: out:uint:512 a:uint:256:random b:uint:256:random
//
// A 128 by 128 bit product in 32-bit digits, with carries.

__kernel void wide_multiply(__global uint *out, __global const uint *a,
                            __global const uint *b) {
  size_t i = get_global_id(0);
  uint r[8] = {0};
  for (int j = 0; j < 4; j++) {
    uint carry = 0;
    for (int k = 0; k < 4; k++) {
      ulong t = (ulong)a[4 * i + j] * b[4 * i + k] + r[j + k] + carry;
      r[j + k] = (uint)t;
      carry = t >> 32;
    }
    r[j + 4] = carry;
  }
  for (int k = 0; k < 8; k++)
    out[8 * i + k] = r[k];
}
