//pass
//--local_size=64 --num_groups=2

// buffers: out:int:1024 a:int:1024:random
//
// Insertion sort in a private array.

__kernel void private_array(__global int *out, __global const int *a) {
  size_t base = 8 * get_global_id(0);
  int v[8];
  for (int k = 0; k < 8; k++) {
    int x = a[base + k];
    int j = k;
    for (; j > 0 && v[j - 1] > x; j--)
      v[j] = v[j - 1];
    v[j] = x;
  }
  for (int k = 0; k < 8; k++)
    out[base + k] = v[k];
}
