//pass
//--local_size=64 --num_groups=1

// Several time steps in one group, between two arrays whose pointers are exchanged.

__kernel void heat(__global float *a, __global float *b, int steps) {
  int l = get_local_id(0);
  __global float *from = a;
  __global float *to = b;
  for (int t = 0; t < steps; t++) {
    to[l] = 0.5f * from[l] + 0.25f * (from[(l + 1) % 64] + from[(l + 63) % 64]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    __global float *swap = from;
    from = to;
    to = swap;
  }
}
