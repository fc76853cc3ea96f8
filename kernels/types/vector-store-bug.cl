//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// The offset is applied to the pointer, so vectors start one element apart.

__kernel void store4(__global int *out, __global const int *in) {
  size_t i = get_global_id(0);
  vstore4(vload4(i, in).wzyx, 0, out + i);
}
