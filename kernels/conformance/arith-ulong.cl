//pass
//--local_size=64 --num_groups=2

// buffers: out:ulong:640 a:ulong:128:random b:uint:128:random
//
// 64-bit wrap-around, and carries that are lost and found again.

__kernel void arith_ulong(__global ulong *out, __global const ulong *a, __global const uint *b) {
  size_t i = get_global_id(0);
  ulong x = a[i];
  ulong y = b[i];
  ulong sum = x + (y << 32);
  out[5 * i + 0] = sum;
  out[5 * i + 1] = sum < x;
  out[5 * i + 2] = x * y;
  out[5 * i + 3] = (ulong)(uint)x * (uint)y;
  out[5 * i + 4] = x - y * y;
}
