//pass
//--local_size=64 --num_groups=2

// Two buffers in turn need only one barrier a step.

__kernel void inclusive_scan(__global int *data) {
  __local int s[2][64];
  uint l = get_local_id(0);
  uint in = 0;
  s[in][l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint offset = 1; offset < 64; offset *= 2) {
    uint out = 1 - in;
    s[out][l] = l >= offset ? s[in][l] + s[in][l - offset] : s[in][l];
    barrier(CLK_LOCAL_MEM_FENCE);
    in = out;
  }
  data[get_global_id(0)] = s[in][l];
}
