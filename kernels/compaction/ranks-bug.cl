//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// The numbers are moved to their ranks, which start anew in every group.

__kernel void ranks(__global int *out, __global const int *in) {
  __local int place[64];
  uint l = get_local_id(0);
  int x = in[get_global_id(0)];
  place[l] = x > 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint offset = 1; offset < 64; offset *= 2) {
    int left = l >= offset ? place[l - offset] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    place[l] += left;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (x > 0)
    out[place[l] - 1] = x;
}
