//pass
//--local_size=64 --num_groups=2

// buffers: d:double:256 f:float:128 l:long:128 a:long:128:random b:float:128:random
//
// double to and from long and float.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void double_conversions(__global double2 *d, __global float *f, __global long *l,
                                 __global const long *a, __global const float *b) {
  size_t i = get_global_id(0);
  double x = (double)a[i];
  d[i] = (double2)(x, (double)b[i]);
  f[i] = (float)(x * 0.001);
  l[i] = convert_long_sat(x * 1.5) ^ (long)((double)b[i] * 1024.0);
}
