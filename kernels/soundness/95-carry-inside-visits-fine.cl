//pass
//--local_size=64 --num_groups=2

// As 95-carry-inside-visits, but in no loop: each work-item passes the barrier once.

__kernel void steps(__global int *restrict out, __local int *s) {
  int t = get_local_id(0);
  if (t == 0)
    s[0] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_group_id(0)] = s[0];
  barrier(CLK_LOCAL_MEM_FENCE);
}
