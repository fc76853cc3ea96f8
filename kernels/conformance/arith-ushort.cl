//pass
//--local_size=64 --num_groups=2

// buffers: out:ushort:512 wide:uint:128 a:ushort:128:random b:ushort:128:random
//
// The product of two ushort values is taken in uint here, for in int it could overflow.

__kernel void arith_ushort(__global ushort *out, __global uint *wide, __global const ushort *a,
                           __global const ushort *b) {
  size_t i = get_global_id(0);
  ushort x = a[i];
  ushort y = b[i];
  out[4 * i + 0] = x + y;
  out[4 * i + 1] = x - y;
  out[4 * i + 2] = (uint)x * y;
  out[4 * i + 3] = ~x;
  wide[i] = (uint)x * y;
}
