//pass
//--local_size=64 --num_groups=2

// buffers: out:uint:256 a:uint:128:random
//
// A private array written as words and read as bytes.

__kernel void pointer_private_cast(__global uint *out, __global const uint *a) {
  size_t i = get_global_id(0);
  uint word[4];
  for (int k = 0; k < 4; k++)
    word[k] = a[(i + k) % 128];
  uchar *byte = (uchar *)word;
  uint sum = 0;
  for (int k = 0; k < 16; k += 3)
    sum = rotate(sum, 5u) + byte[k];
  byte[5] = 0xee;
  out[2 * i + 0] = sum;
  out[2 * i + 1] = word[1];
}
