//pass
//--local_size=64 --num_groups=2

// buffers: out:int:128 a:int:128:random
// scalars: n=100
//
// Work-items beyond n return at once, others from the middle of a loop.

__kernel void early_return(__global int *out, __global const int *a, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  for (int k = i; k < n; k++) {
    if (a[k] % 11 == 0) {
      out[i] = k;
      return;
    }
  }
  out[i] = -1;
}
