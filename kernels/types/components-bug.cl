//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// One of the two writes the whole vector.

__kernel void components(__global int2 *out) {
  size_t i = get_global_id(0);
  __global int *component = (__global int *)&out[i / 2] + i % 2;
  if (i % 2 == 0)
    out[i / 2] = (int2)(i, -1);
  else
    *component = i;
}
