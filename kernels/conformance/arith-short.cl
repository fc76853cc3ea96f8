//pass
//--local_size=64 --num_groups=2

// buffers: out:short:512 wide:int:128 a:short:128:random b:short:128:random
//
// Arithmetic on short is done in int and narrowed when stored.

__kernel void arith_short(__global short *out, __global int *wide, __global const short *a,
                          __global const short *b) {
  size_t i = get_global_id(0);
  short x = a[i];
  short y = b[i];
  out[4 * i + 0] = x + y;
  out[4 * i + 1] = x - y;
  out[4 * i + 2] = (short)(x * y);
  out[4 * i + 3] = x ^ (y >> 3);
  wide[i] = x * y;
}
