//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
//race

// An even factor makes places meet.

__kernel void k(__global int *out) {
  __local int a[64];
  int t = get_local_id(0);
  a[t] = (6 * t + 3) % 64;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[a[t]] = t;
}
