//pass
//--local_size=64 --num_groups=2

// The array to write is chosen by data, the place in it is the work-item's own.

__kernel void split(__global int *even, __global int *odd, __global const int *in) {
  size_t i = get_global_id(0);
  __global int *out = in[i] & 1 ? odd : even;
  out[i] = in[i];
}
