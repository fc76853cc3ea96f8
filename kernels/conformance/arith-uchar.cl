//pass
//--local_size=64 --num_groups=2

// buffers: out:uchar:512 wide:int:128 a:uchar:128:random b:uchar:128:random
//
// Unsigned bytes wrap when stored; a difference of two of them may be negative before.

__kernel void arith_uchar(__global uchar *out, __global int *wide, __global const uchar *a,
                          __global const uchar *b) {
  size_t i = get_global_id(0);
  uchar x = a[i];
  uchar y = b[i];
  out[4 * i + 0] = x + y;
  out[4 * i + 1] = x - y;
  out[4 * i + 2] = x * y;
  out[4 * i + 3] = -x;
  wide[i] = x - y;
}
