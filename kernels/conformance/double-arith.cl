//pass
//--local_size=64 --num_groups=2

// buffers: out:double:768 a:double:128:random b:double:128:random
//
// Double precision arithmetic, each operation rounded on its own.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void double_arith(__global double *out, __global const double *a,
                           __global const double *b) {
  size_t i = get_global_id(0);
  double x = a[i];
  double y = b[i];
  out[6 * i + 0] = x + y;
  out[6 * i + 1] = x * y - x;
  out[6 * i + 2] = x / y;
  out[6 * i + 3] = sqrt(fabs(x));
  out[6 * i + 4] = fma(x, y, -1.0);
  out[6 * i + 5] = floor(x) + rint(y) + trunc(x * 0.5);
}
