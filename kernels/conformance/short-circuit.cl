//pass
//--local_size=64 --num_groups=2

// buffers: out:int:384 a:int:128:random
//
// Side effects on the right of && and || happen only when they must.

int tick(int *count, int result) {
  (*count)++;
  return result;
}

__kernel void short_circuit(__global int *out, __global const int *a) {
  size_t i = get_global_id(0);
  int x = a[i];
  int n = 0;
  int p = x & 1 && tick(&n, x & 2);
  int q = x & 4 || tick(&n, x & 8);
  int r = x & 16 ? tick(&n, 5) : (n += 2, 7);
  out[3 * i + 0] = p | q << 1;
  out[3 * i + 1] = n;
  out[3 * i + 2] = r;
}
