//pass
//--local_size=64 --num_groups=2

// buffers: out:float:384 a:float:128:random b:float:128:random c:float:128:random
//
// fma() rounds once: it finds the error of a product.

#pragma OPENCL FP_CONTRACT OFF

__kernel void float_fma(__global float *out, __global const float *a, __global const float *b,
                        __global const float *c) {
  size_t i = get_global_id(0);
  float p = a[i] * b[i];
  out[3 * i + 0] = fma(a[i], b[i], c[i]);
  out[3 * i + 1] = fma(a[i], b[i], -p);
  out[3 * i + 2] = fma(-c[i], b[i], 1.0f);
}
