//pass
//--local_size=64 --num_groups=2

// Half precision numbers take two bytes each.

__kernel void store_half(__global half *out, __global const float *in) {
  size_t i = get_global_id(0);
  vstore_half(in[i], i, out);
}
