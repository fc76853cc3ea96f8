//pass
//--local_size=64 --num_groups=2

// buffers: out:int:640 a:float:128:small b:float:128:small
//
// Comparisons with NaN, infinities and both zeros; the predicates on floats.

__kernel void float_compare(__global int *out, __global const float *a,
                            __global const float *b) {
  size_t i = get_global_id(0);
  float x = a[i];
  float y = b[i];
  if (i % 8 == 1)
    x = NAN;
  if (i % 8 == 2)
    y = -INFINITY;
  if (i % 8 == 3)
    x = -0.0f;
  out[5 * i + 0] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3;
  out[5 * i + 1] = (x > y) | (x >= y) << 1 | !(x < y) << 2;
  out[5 * i + 2] = isnan(x) | isinf(y) << 1 | isfinite(x) << 2 | isnormal(y) << 3;
  out[5 * i + 3] = signbit(x) | isless(x, y) << 1 | isgreater(x, y) << 2 | isequal(x, y) << 3;
  out[5 * i + 4] = isunordered(x, y) | isordered(x, y) << 1 | islessgreater(x, y) << 2;
}
