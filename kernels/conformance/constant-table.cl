//pass
//--local_size=64 --num_groups=2

// buffers: out:uint:128 a:uchar:128:random
//
// Tables at file scope in constant memory.

__constant uint powers[10] = {1,      10,      100,      1000,      10000,
                              100000, 1000000, 10000000, 100000000, 1000000000};
__constant uchar nibble_bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
__constant char text[] = "duet";

__kernel void constant_table(__global uint *out, __global const uchar *a) {
  size_t i = get_global_id(0);
  uchar x = a[i];
  uint bits = nibble_bits[x & 15] + nibble_bits[x >> 4];
  out[i] = powers[bits] * 3 + text[x % sizeof(text)];
}
