//pass
//--local_size=64 --num_groups=2

// Two local arrays exchanged by pointer at each step of a maximum filter.

__kernel void dilate(__global int *out, __global const int *in, int steps) {
  __local int a[64];
  __local int b[64];
  int l = get_local_id(0);
  __local int *from = a;
  __local int *to = b;
  from[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int t = 0; t < steps; t++) {
    to[l] = max(from[l], from[(l + 1) % 64]);
    barrier(CLK_LOCAL_MEM_FENCE);
    __local int *swap = from;
    from = to;
    to = swap;
  }
  out[get_global_id(0)] = from[l];
}
