//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// Two halves are stored at every half.

__kernel void store_half(__global half *out, __global const float *in) {
  size_t i = get_global_id(0);
  vstore_half2((float2)(in[i], in[i] + 1.0f), 0, out + i);
}
