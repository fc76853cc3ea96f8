//pass
//--local_size=64 --num_groups=1

// buffers: out:int:64 keys:int:64:small
//
// Lower bounds in a sorted table computed on the fly.

__kernel void binary_search(__global int *out, __global const int *keys) {
  size_t i = get_global_id(0);
  int key = keys[i] * (int)(i % 11);
  int low = 0;
  int high = 64;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (middle * 3 - 5 < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}
