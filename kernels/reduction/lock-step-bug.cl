//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//read-write-race

// The last steps rely on 32 work-items running in lock step, which nothing promises.

__kernel void sum(__global int *out, __global const int *in) {
  __local volatile int s[64];
  uint l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 32) {
    s[l] += s[l + 32];
    s[l] += s[l + 16];
    s[l] += s[l + 8];
    s[l] += s[l + 4];
    s[l] += s[l + 2];
    s[l] += s[l + 1];
  }
  if (l == 0)
    out[get_group_id(0)] = s[0];
}
