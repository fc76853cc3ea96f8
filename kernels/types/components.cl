//pass
//--local_size=64 --num_groups=2

// Two work-items share a vector; each writes its component through a pointer to int.

__kernel void components(__global int2 *out) {
  size_t i = get_global_id(0);
  __global int *component = (__global int *)&out[i / 2] + i % 2;
  *component = i;
}
