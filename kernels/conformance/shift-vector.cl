//pass
//--local_size=32 --num_groups=2

// buffers: l:char:512 r:char:512 s:ushort:256 a:char:512:random b:ushort:256:random
//
// In vectors there is no promotion: a char8 is shifted by the count modulo 8.

__kernel void shift_vector(__global uchar8 *l, __global char8 *r, __global ushort4 *s,
                           __global const char8 *a, __global const ushort4 *b) {
  size_t i = get_global_id(0);
  char8 n = (char8)(0, 1, 3, 5, 7, 8, 9, 15);
  l[i] = as_uchar8(a[i]) << as_uchar8(n);
  r[i] = a[i] >> n;
  s[i] = (b[i] << (ushort)5) | (b[i] >> (ushort4)(11, 12, 27, 16));
}
