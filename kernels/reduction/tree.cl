//pass
//--local_size=64 --num_groups=4

// Halving the number of active work-items at each step.

__kernel void sum(__global float *out, __global const float *in) {
  __local float s[64];
  uint l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint active = 32; active > 0; active >>= 1) {
    if (l < active)
      s[l] += s[l + active];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = s[0];
}
