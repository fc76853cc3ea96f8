//pass
//--local_size=64 --num_groups=2

// Vectors stored side by side: vstore4 counts in units of four.

__kernel void store4(__global int *out, __global const int *in) {
  size_t i = get_global_id(0);
  vstore4(vload4(i, in).wzyx, i, out);
}
