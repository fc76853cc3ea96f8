//pass
//--local_size=32 --num_groups=2

// buffers: out:float:512 a:float:256:random b:float:256:random
//
// Vector arithmetic, with scalars spread over the elements.

#pragma OPENCL FP_CONTRACT OFF

__kernel void float_vector(__global float4 *out, __global const float4 *a,
                           __global const float4 *b) {
  size_t i = get_global_id(0);
  float4 x = a[i];
  float4 y = b[i];
  out[2 * i + 0] = x * y.wzyx - 2.0f * fabs(x);
  out[2 * i + 1] = fmax(x, y) / (float4)(2.0f, 4.0f, 3.0f, 7.0f) + x.x;
}
