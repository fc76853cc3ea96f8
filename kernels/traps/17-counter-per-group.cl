//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=2
//write-write-race

// A counter in local memory hands out each place once in every group.

__kernel void per_group(__global int *out) {
  __local uint counter;
  if (get_local_id(0) == 0)
    counter = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[atomic_inc(&counter)] = get_group_id(0);
}
