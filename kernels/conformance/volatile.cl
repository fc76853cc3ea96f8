//pass
//--local_size=64 --num_groups=2

// buffers: out:int:256 a:int:128:random
//
// Volatile accesses and variables mean what plain ones mean, for one work-item.

__kernel void volatile_access(volatile __global int *out, __global const int *a) {
  size_t i = get_global_id(0);
  volatile int x = a[i] >> 1;
  x += 1;
  out[2 * i] = x;
  out[2 * i] = out[2 * i] / 2;
  out[2 * i + 1] = out[2 * i] + x / 4;
}
