//pass
//--local_size=64 --num_groups=2

// Each positive number learns its rank among the positive numbers of its group.

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
  out[get_global_id(0)] = x > 0 ? place[l] : 0;
}
