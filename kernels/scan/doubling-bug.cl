//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//read-write-race

// One of the two barriers of each step is missing.

__kernel void inclusive_scan(__global int *data) {
  __local int s[64];
  uint l = get_local_id(0);
  s[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint offset = 1; offset < 64; offset *= 2) {
    int left = l >= offset ? s[l - offset] : 0;
    s[l] += left;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  data[get_global_id(0)] = s[l];
}
