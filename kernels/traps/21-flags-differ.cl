//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//read-write-race

// Work-items meet at one barrier with different flags: neither memory is ordered for a pair.

__kernel void flags_differ(__global int *out, __global const int *in) {
  __local int s[64];
  size_t l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(l & 1 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = s[l ^ 1];
}
