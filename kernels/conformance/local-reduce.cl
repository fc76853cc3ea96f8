//pass
//--local_size=64 --num_groups=4

// buffers: out:uint:4 a:uint:256:random
//
// A tree reduction: a barrier in a loop.

__kernel void local_reduce(__global uint *out, __global const uint *a) {
  __local uint s[64];
  uint l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  for (uint half_size = 32; half_size > 0; half_size >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_size)
      s[l] += s[l + half_size];
  }
  if (l == 0)
    out[get_group_id(0)] = s[0];
}
