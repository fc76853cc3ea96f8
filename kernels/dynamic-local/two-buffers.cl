//pass
//--local_size=64 --num_groups=2

// Two local arguments are two arrays.

__kernel void two_buffers(__global float *out, __global const float *in, __local float *a,
                          __local float *b) {
  size_t l = get_local_id(0);
  a[l] = in[get_global_id(0)];
  b[63 - l] = -in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[63 - l] + b[l];
}
