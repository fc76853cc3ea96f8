//pass
//--local_size=64 --num_groups=2

// Neighbours are added first: strides double.

__kernel void sum(__global int *out, __global const int *in) {
  __local int s[64];
  uint l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  for (uint stride = 1; stride < 64; stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % (2 * stride) == 0)
      s[l] += s[l + stride];
  }
  if (l == 0)
    out[get_group_id(0)] = s[0];
}
