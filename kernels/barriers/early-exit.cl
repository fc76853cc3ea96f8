//pass
//--local_size=32 --num_groups=4

// Whole groups leave before the barrier: nobody waits for them.

__kernel void early_exit(__global int *out, __global const int *in, int groups) {
  __local int s[32];
  if ((int)get_group_id(0) >= groups)
    return;
  size_t l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[31 - l];
}
