//pass
//--local_size=64 --num_groups=2

// A kernel with its contract: sizes are required, and what it needs is asserted.

__kernel void guarded_copy(__global int *out, __global const int *in, int n) {
  __requires(n > 0);
  __requires(n <= 128);
  int i = get_global_id(0);
  if (i < n) {
    __assert(i < 128);
    out[i] = in[i];
  }
}
