//pass
//--local_size=64 --num_groups=4

// A maximum, with the local memory given by the host.

__kernel void maximum(__global int *out, __global const int *in, __local int *s) {
  uint l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  for (uint active = get_local_size(0) / 2; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < active)
      s[l] = max(s[l], s[l + active]);
  }
  if (l == 0)
    out[get_group_id(0)] = s[0];
}
