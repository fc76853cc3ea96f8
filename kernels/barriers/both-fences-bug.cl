//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// A barrier without any flag makes work-items meet and orders nothing.

__kernel void exchange(__global int *data, __global const int *in) {
  __local int s[64];
  size_t l = get_local_id(0);
  size_t base = get_group_id(0) * 64;
  s[l] = in[base + l];
  data[base + l] = in[base + (l ^ 1)];
  barrier(0);
  data[base + 63 - l] = s[63 - l] + s[l];
}
