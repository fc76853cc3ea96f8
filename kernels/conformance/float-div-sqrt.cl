//pass
//--local_size=64 --num_groups=2

// buffers: out:float:512 a:float:128:random b:float:128:random
//
// Division and square root, correctly rounded by the build option.

__kernel void float_div_sqrt(__global float *out, __global const float *a,
                             __global const float *b) {
  size_t i = get_global_id(0);
  out[4 * i + 0] = a[i] / b[i];
  out[4 * i + 1] = 1.0f / a[i];
  out[4 * i + 2] = sqrt(fabs(a[i]));
  out[4 * i + 3] = sqrt(b[i] * b[i]) / 3.0f;
}
