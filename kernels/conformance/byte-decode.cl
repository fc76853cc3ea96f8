//pass
//--local_size=64 --num_groups=1

// buffers: out:uint:64 a:uchar:512:random
//
// Variable-length numbers: seven bits a byte, until the high bit is clear.

__kernel void byte_decode(__global uint *out, __global const uchar *a) {
  __global const uchar *p = a + 8 * get_global_id(0);
  uint value = 0;
  uint shift = 0;
  uchar byte;
  do {
    byte = *p++;
    value |= (uint)(byte & 0x7f) << shift;
    shift += 7;
  } while ((byte & 0x80) && shift < 32);
  out[get_global_id(0)] = value;
}
