//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=2
//write-write-race

// Local memory is one array for each group: s holds different numbers in the two.

__kernel void group_differs(__global int *out) {
  __local int s;
  int g = get_group_id(0);
  if (get_local_id(0) == 0)
    s = g & 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 1)
    out[s ^ (g & 1)] = g;
}
