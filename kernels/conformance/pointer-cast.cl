//pass
//--local_size=64 --num_groups=2

// buffers: out:uint:512 bytes:uchar:512 a:uint:128:random
//
// The same memory seen as words, halves and bytes.

__kernel void pointer_cast(__global uint *out, __global uchar *bytes, __global const uint *a) {
  size_t i = get_global_id(0);
  __global const uchar *b = (__global const uchar *)(a + i);
  __global const ushort *h = (__global const ushort *)a;
  out[4 * i + 0] = b[0] | b[3] << 8;
  out[4 * i + 1] = h[2 * i + 1];
  out[4 * i + 2] = as_uint(((__global const char4 *)a)[i].wzyx);
  *(__global uint *)(bytes + 4 * i) = a[i] ^ 0x01020304u;
  out[4 * i + 3] = bytes[4 * i + 2];
}
