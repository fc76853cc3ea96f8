//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//read-write-race

// The barrier stands before the loop only: steps run into one another.

__kernel void sum(__global float *out, __global const float *in) {
  __local float s[64];
  uint l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint active = 32; active > 0; active >>= 1) {
    if (l < active)
      s[l] += s[l + active];
  }
  if (l == 0)
    out[get_group_id(0)] = s[0];
}
