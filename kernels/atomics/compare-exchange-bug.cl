//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// The first guess is read without an atomic.

__kernel void add_float(__global uint *sum, __global const float *in) {
  float x = in[get_global_id(0)];
  uint old = *sum;
  while (true) {
    uint seen = atomic_cmpxchg(sum, old, as_uint(as_float(old) + x));
    if (seen == old)
      break;
    old = seen;
  }
}
