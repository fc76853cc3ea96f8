//pass
//--local_size=64 --num_groups=2

// buffers: out:int:256 a:int:128:random
//
// An array inside a struct, indexed by a variable.

typedef struct {
  int n;
  int digit[10];
} Digits;

__kernel void struct_array_field(__global int *out, __global const int *a) {
  size_t i = get_global_id(0);
  Digits d;
  uint v = (uint)a[i];
  for (d.n = 0; d.n < 10; d.n++) {
    d.digit[d.n] = v % 10;
    v /= 10;
  }
  int backwards = 0;
  int sum = 0;
  for (int k = 0; k < d.n; k++) {
    sum += d.digit[k];
    if (k < 9)
      backwards = backwards * 10 + d.digit[k];
  }
  out[2 * i + 0] = sum;
  out[2 * i + 1] = backwards;
}
