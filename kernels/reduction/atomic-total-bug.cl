//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//race

// The sum is set to zero without a barrier before the first addition.

__kernel void total(__global int *sum, __global const int *in) {
  __local int group_sum;
  if (get_local_id(0) == 0)
    group_sum = 0;
  atomic_add(&group_sum, in[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    atomic_add(sum, group_sum);
}
