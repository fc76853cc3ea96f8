//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=1
//write-write-race

// A loop with a barrier that it usually goes round without meeting.

__kernel void conditional_barrier(__local int *a) {
  int l = get_local_id(0);
  for (int i = 0; i < 8; i++) {
    a[l + i] = l;
    if (i == 5)
      barrier(CLK_LOCAL_MEM_FENCE);
  }
}
