//pass
//--local_size=64 --num_groups=2

// buffers: out:float:640 a:float:128:random b:float:128:random
//
// Addition, subtraction and multiplication, each rounded on its own.

#pragma OPENCL FP_CONTRACT OFF

__kernel void float_arith(__global float *out, __global const float *a,
                          __global const float *b) {
  size_t i = get_global_id(0);
  float x = a[i];
  float y = b[i];
  out[5 * i + 0] = x + y;
  out[5 * i + 1] = x - y;
  out[5 * i + 2] = x * y;
  out[5 * i + 3] = x * y + x;
  out[5 * i + 4] = (x + y) * (x - y) - x * x;
}
