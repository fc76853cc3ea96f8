//pass
//--local_size=64 --num_groups=2

// buffers: out:int:256 a:int:512:random
//
// Pointers that run forward and backward through an array.

__kernel void pointer_walk(__global int *out, __global const int *a) {
  size_t i = get_global_id(0);
  __global const int *p = a + 4 * i;
  __global const int *end = p + 4;
  uint sum = 0;
  while (p != end)
    sum = sum * 31 + (uint)*p++;
  out[2 * i] = (int)sum;
  int parity = 0;
  for (__global const int *q = end; q > a + 4 * i;)
    parity = parity * 2 + (*--q & 1);
  out[2 * i + 1] = parity + (int)(end - a);
}
