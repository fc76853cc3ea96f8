//pass
//--local_size=64 --num_groups=2

// A float is added with compare and exchange; every access to the sum is atomic.

__kernel void add_float(__global uint *sum, __global const float *in) {
  float x = in[get_global_id(0)];
  uint old = atomic_or(sum, 0u);
  while (true) {
    uint seen = atomic_cmpxchg(sum, old, as_uint(as_float(old) + x));
    if (seen == old)
      break;
    old = seen;
  }
}
