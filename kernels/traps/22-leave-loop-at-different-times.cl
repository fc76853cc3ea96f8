//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=1
//exit-before-barrier

// Every assignment to i is the same for all, yet the loop is left with different values.

__kernel void leave_loop(__global int *out) {
  int l = get_local_id(0);
  int i = 0;
  while (true) {
    i++;
    if (i > l)
      break;
  }
  if (i > 3)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = i;
}
