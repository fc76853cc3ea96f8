//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// One buffer is divided in two by hand, and the halves overlap.

__kernel void two_buffers(__global float *out, __global const float *in, __local float *pool) {
  __local float *a = pool;
  __local float *b = pool + 32;
  size_t l = get_local_id(0);
  a[l] = in[get_global_id(0)];
  b[63 - l] = -in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[63 - l] + b[l];
}
