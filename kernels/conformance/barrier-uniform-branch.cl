//pass
//--local_size=32 --num_groups=4

// buffers: out:int:128 a:int:128:random
//
// A barrier that only some groups reach, and a loop whose length is a group's own.

__kernel void barrier_uniform_branch(__global int *out, __global const int *a) {
  __local int s[32];
  int l = get_local_id(0);
  int g = get_group_id(0);
  s[l] = a[get_global_id(0)] >> 4;
  if (g & 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int t = s[31 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] += t;
  }
  for (int k = 0; k < g; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int t = s[(l + 1) % 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = t + k;
  }
  out[get_global_id(0)] = s[l];
}
