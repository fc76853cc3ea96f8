//pass
//--local_size=64 --num_groups=4

// buffers: out:uint:256 a:uint:256:random
//
// Inclusive prefix sums by doubling, with two barriers a step.

__kernel void local_scan(__global uint *out, __global const uint *a) {
  __local uint s[64];
  uint l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 64; step <<= 1) {
    uint left = l >= step ? s[l - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] += left;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = s[l];
}
