//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// What the cell holds behind the first barrier is common to the group in one iteration, and
// another number in a later one. The barriers order local memory only, so the stores of two
// iterations to global memory are not ordered. No short run shows it.

__kernel void steps(__global int *restrict out, __local int *s) {
  int t = get_local_id(0);
  for (int i = 0; i < 20000; i++) {
    if (t == 0)
      s[0] = i / 10000;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0)] = s[0];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
