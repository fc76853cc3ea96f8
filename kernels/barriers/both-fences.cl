//pass
//--local_size=64 --num_groups=2

// One barrier for both memories.

__kernel void exchange(__global int *data, __global const int *in) {
  __local int s[64];
  size_t l = get_local_id(0);
  size_t base = get_group_id(0) * 64;
  s[l] = in[base + l];
  data[base + l] = in[base + (l ^ 1)];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  data[base + 63 - l] = s[63 - l] + s[l];
}
