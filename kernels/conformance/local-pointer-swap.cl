//pass
//--local_size=32 --num_groups=2

// buffers: out:int:64 a:int:64:random
//
// Two local buffers change their roles at each step of a smoothing.

__kernel void local_pointer_swap(__global int *out, __global const int *a) {
  __local int x[32];
  __local int y[32];
  int l = get_local_id(0);
  __local int *from = x;
  __local int *to = y;
  from[l] = a[get_global_id(0)] >> 8;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < 7; step++) {
    to[l] = (from[(l + 31) % 32] + 2 * from[l] + from[(l + 1) % 32]) >> 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local int *t = from;
    from = to;
    to = t;
  }
  out[get_global_id(0)] = from[l];
}
