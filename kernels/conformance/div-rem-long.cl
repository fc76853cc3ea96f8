//pass
//--local_size=64 --num_groups=2

// buffers: q:long:256 r:ulong:256 a:long:128:random b:int:128:random
//
// 64-bit division, signed and unsigned.

__kernel void div_rem_long(__global long *q, __global ulong *r, __global const long *a,
                           __global const int *b) {
  size_t i = get_global_id(0);
  long x = a[i];
  long y = b[i] == 0 || b[i] == -1 ? 13 : b[i];
  q[2 * i + 0] = x / y;
  q[2 * i + 1] = x % y;
  r[2 * i + 0] = (ulong)x / (ulong)y;
  r[2 * i + 1] = (ulong)x % (ulong)(y | 1);
}
