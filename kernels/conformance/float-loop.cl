//pass
//--local_size=64 --num_groups=2

// buffers: out:float:128 turns:int:128 a:float:128:small
//
// Newton's method for a square root: control flow that depends on exact rounding.

#pragma OPENCL FP_CONTRACT OFF

__kernel void float_loop(__global float *out, __global int *turns, __global const float *a) {
  size_t i = get_global_id(0);
  float v = a[i] + 0.125f * (float)i + 1.0f;
  float x = v;
  int n = 0;
  while (n < 50) {
    float next = 0.5f * (x + v / x);
    n++;
    if (next >= x)
      break;
    x = next;
  }
  out[i] = x;
  turns[i] = n;
}
