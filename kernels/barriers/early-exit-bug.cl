//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=4
//(exit-before-barrier|barrier-divergence)

// Single work-items leave before a barrier that the others of their group reach.

__kernel void early_exit(__global int *out, __global const int *in, int n) {
  __local int s[32];
  if ((int)get_global_id(0) >= n)
    return;
  size_t l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[l];
}
