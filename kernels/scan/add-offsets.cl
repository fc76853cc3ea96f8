//pass
//--local_size=64 --num_groups=4

// The second pass of a large scan: each group adds the sum of all groups before it.

__kernel void add_offsets(__global int *data, __global const int *group_sums) {
  __local int offset;
  if (get_local_id(0) == 0) {
    int sum = 0;
    for (size_t g = 0; g < get_group_id(0); g++)
      sum += group_sums[g];
    offset = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] += offset;
}
