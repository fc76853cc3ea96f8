//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//read-write-race

// The buffers never change their roles after the first step: each step writes what it reads.

__kernel void inclusive_scan(__global int *data) {
  __local int s[2][64];
  uint l = get_local_id(0);
  uint in = 0;
  uint out = 1;
  s[in][l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint offset = 1; offset < 64; offset *= 2) {
    s[out][l] = l >= offset ? s[in][l] + s[in][l - offset] : s[in][l];
    barrier(CLK_LOCAL_MEM_FENCE);
    in = out;
  }
  data[get_global_id(0)] = s[in][l];
}
