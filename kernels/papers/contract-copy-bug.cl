//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2

// The contract allows more elements than the assertion does.

__kernel void guarded_copy(__global int *out, __global const int *in, int n) {
  __requires(n > 0);
  __requires(n <= 128);
  int i = get_global_id(0);
  if (i < n) {
    __assert(i < 100);
    out[i] = in[i];
  }
}
