//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1 --no-inline

// Threads do not agree on the argument.

void rotate_by(__local uint *a, uint n) {
  uint t = get_local_id(0);
  __requires(n < 64);
  __requires(__uniform_int(n));
  __reads_from(a);
  __writes_to(a);
  __ensures(true);
  uint v = a[(t + n) & 63];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[t] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel void k(__global uint *out, __global const uint *in) {
  __local uint a[64];
  uint t = get_local_id(0);
  a[t] = in[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  rotate_by(a, t & 1);
  out[t] = a[t];
}
