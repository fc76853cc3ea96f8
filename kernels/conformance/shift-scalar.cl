//pass
//--local_size=64 --num_groups=2

// buffers: out:uint:512 wide:ulong:256 a:uint:128:random n:uint:128:random
//
// OpenCL defines a shift by more than the width: only the low bits of the count are used.

__kernel void shift_scalar(__global uint *out, __global ulong *wide, __global const uint *a,
                           __global const uint *n) {
  size_t i = get_global_id(0);
  uint x = a[i];
  uint c = n[i];
  out[4 * i + 0] = x << c;
  out[4 * i + 1] = x >> c;
  out[4 * i + 2] = (int)x >> c;
  out[4 * i + 3] = x >> (c & 7);
  wide[2 * i + 0] = ((ulong)x << 20) << c;
  wide[2 * i + 1] = (long)(((ulong)x << 32) | c) >> c;
}
