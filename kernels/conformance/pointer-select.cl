//pass
//--local_size=64 --num_groups=2

// buffers: x:int:128 y:int:128 a:int:128:random b:int:128:random
//
// A pointer that may be one of several arrays, chosen by data.

__kernel void pointer_select(__global int *x, __global int *y, __global const int *a,
                             __global const int *b) {
  size_t i = get_global_id(0);
  __global const int *src = a[i] < b[i] ? a : b;
  __global int *dst = a[i] & 1 ? x : y;
  dst[i] = src[i];
  dst = dst == x ? y : x;
  dst[i] = ~src[i ^ 1];
}
