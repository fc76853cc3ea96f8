//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//race

// The same with four groups: a barrier does not order work-items of different groups.

__kernel void heat(__global float *a, __global float *b, int steps) {
  __requires(steps == 2);
  int i = get_global_id(0);
  __global float *from = a;
  __global float *to = b;
  for (int t = 0; t < steps; t++) {
    to[i] = 0.5f * from[i] + 0.25f * (from[(i + 1) % 256] + from[(i + 255) % 256]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    __global float *swap = from;
    from = to;
    to = swap;
  }
}
