//pass
//--local_size=64 --num_groups=2

// Places come from a prefix sum computed before: flags say who writes.

__kernel void scatter(__global int *out, __global const int *in) {
  __local int place[64];
  __local int kept[64];
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
  kept[l] = x > 0 ? place[l] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = kept[63 - l];
}
