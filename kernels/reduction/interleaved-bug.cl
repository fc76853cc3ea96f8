//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//read-write-race

// The test takes multiples of the stride, not of twice the stride.

__kernel void sum(__global int *out, __global const int *in) {
  __local int s[128];
  uint l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  s[l + 64] = 0;
  for (uint stride = 1; stride < 64; stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % stride == 0)
      s[l] += s[l + stride];
  }
  if (l == 0)
    out[get_group_id(0)] = s[0];
}
