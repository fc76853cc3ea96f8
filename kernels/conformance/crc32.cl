//pass
//--local_size=64 --num_groups=1

// buffers: out:uint:64 a:uchar:1024:random
//
// A checksum bit by bit, over 16 bytes for each work-item.

__kernel void crc32(__global uint *out, __global const uchar *a) {
  size_t i = get_global_id(0);
  uint crc = ~0u;
  for (int k = 0; k < 16; k++) {
    crc ^= a[16 * i + k];
    for (int bit = 0; bit < 8; bit++)
      crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
  }
  out[i] = ~crc;
}
