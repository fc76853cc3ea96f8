//pass
//--local_size=64 --num_groups=2

// buffers: out:int:512 a:int:512:small b:int:512:small
//
// any() and all() look at sign bits; the ternary operator selects by element.

__kernel void vector_any_all(__global int4 *out, __global const int4 *a, __global const int4 *b) {
  size_t i = get_global_id(0);
  int4 x = a[i];
  int4 y = b[i];
  out[i] = (int4)(any(x == y), all(x >= y), any(x - 8), all((x & y) - 1));
  out[i] += x < y ? x : -y;
}
