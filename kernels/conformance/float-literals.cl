//pass
//--local_size=16 --num_groups=1

// buffers: out:uint:128 d:double:32
//
// How the compiler rounds decimal and hexadecimal literals.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void float_literals(__global uint *out, __global double2 *d) {
  size_t i = get_global_id(0);
  float v[8] = {0.1f, 1e-45f, 3.4028235e38f, 0x1.fffffep-3f, 16777217.0f, M_PI_F, -1e10f, 1.0f / 3.0f};
  for (int k = 0; k < 8; k++)
    out[8 * i + k] = as_uint(v[k]) + (uint)i;
  d[i] = (double2)(0.1 + (double)i, 0x1.8p-1000);
}
