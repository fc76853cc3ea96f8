//pass
//--local_size=64 --num_groups=2

// Packed triples: vstore3 touches three elements, not four.

__kernel void store3(__global float *out, __global const float *in) {
  size_t i = get_global_id(0);
  vstore3(-vload3(i, in), i, out);
}
