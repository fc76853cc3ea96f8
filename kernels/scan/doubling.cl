//pass
//--local_size=64 --num_groups=2

// Hillis and Steele: the old value is read before the barrier, the new written after it.

__kernel void inclusive_scan(__global int *data) {
  __local int s[64];
  uint l = get_local_id(0);
  s[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint offset = 1; offset < 64; offset *= 2) {
    int left = l >= offset ? s[l - offset] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] += left;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  data[get_global_id(0)] = s[l];
}
