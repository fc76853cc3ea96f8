//pass
//--local_size=64 --num_groups=2

// buffers: out:int:768 a:int:128:small f:float:128:small
//
// Everything but zero is true, and true is 1.

__kernel void bool_conversions(__global int *out, __global const int *a,
                               __global const float *f) {
  size_t i = get_global_id(0);
  bool p = a[i] & 2;
  bool q = f[i];
  out[6 * i + 0] = p;
  out[6 * i + 1] = q + p;
  out[6 * i + 2] = !p;
  out[6 * i + 3] = !!a[i] << 4;
  out[6 * i + 4] = p == q;
  out[6 * i + 5] = (p && q) | (p || q) << 1 | (p ^ q) << 2;
}
