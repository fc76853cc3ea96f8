//pass
//--local_size=64 --num_groups=4

// All work-items of a group store what they read from one cell. The barrier orders local
// memory only, so the stores to global memory are compared from the kernel's start on.

__kernel void sum_of_group(__global int *restrict sum, __global const int *restrict in,
                           __local int *s) {
  int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  for (int d = 32; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < d)
      s[t] += s[t + d];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum[get_group_id(0)] = s[0];
}
