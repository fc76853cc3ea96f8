//pass
//--local_size=64 --num_groups=2

// buffers: out:float:640 a:float:128:random b:float:128:random
//
// fmin() and fmax() prefer a number to a NaN; clamp(), copysign() and fdim().

__kernel void float_min_max(__global float *out, __global const float *a,
                            __global const float *b) {
  size_t i = get_global_id(0);
  float x = i % 16 == 3 ? NAN : a[i];
  float y = b[i];
  out[5 * i + 0] = fmin(x, y);
  out[5 * i + 1] = fmax(y, x);
  out[5 * i + 2] = clamp(y, -2.0f, 2.0f);
  out[5 * i + 3] = copysign(y, a[i]);
  out[5 * i + 4] = fdim(a[i], y);
}
