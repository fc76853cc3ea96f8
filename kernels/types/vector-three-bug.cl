//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// Triples are stored as quadruples: the fourth element belongs to the neighbour.

__kernel void store3(__global float *out, __global const float *in) {
  size_t i = get_global_id(0);
  vstore4((float4)(-vload3(i, in), 1.0f), 0, out + 3 * i);
}
