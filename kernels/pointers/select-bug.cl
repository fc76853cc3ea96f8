//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// One of the two arrays is indexed from the other end.

__kernel void split(__global int *even, __global int *odd, __global const int *in) {
  size_t i = get_global_id(0);
  __global int *out = in[i] & 1 ? odd : even + 127 - 2 * i;
  out[i] = in[i];
  even[i] = 0;
}
