//pass
//--local_size=64 --num_groups=2

// The flags differ between groups but not within one, and always cover local memory.

__kernel void flags_differ(__global int *out, __global const int *in) {
  __local int s[64];
  size_t l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  uint more = get_group_id(0) & 1 ? CLK_GLOBAL_MEM_FENCE : 0;
  barrier(CLK_LOCAL_MEM_FENCE | more);
  out[get_global_id(0)] = s[l ^ 1];
}
