//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//race

// One work-item too many fills the halo, and writes into the first cell of the inside.

#define RADIUS 3

__kernel void stencil(__global int *out, __global const int *in) {
  __local int s[64 + 2 * RADIUS + 1];
  int l = get_local_id(0) + RADIUS;
  int n = get_global_size(0);
  int i = get_global_id(0);
  s[l] = in[i];
  if (get_local_id(0) <= RADIUS) {
    s[l - RADIUS] = i >= RADIUS ? in[i - RADIUS] + 1 : 0;
    s[l + 64] = i + 64 < n ? in[i + 64] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++)
    sum += s[l + k];
  out[i] = sum;
}
