//pass
//--local_size=64 --num_groups=2

// buffers: out:int:128 a:int:128:random b:int:128:random c:int:128:iota
//
// An array of pointers in private memory.

__kernel void pointer_table(__global int *out, __global const int *a, __global const int *b,
                            __global const int *c) {
  size_t i = get_global_id(0);
  __global const int *table[3] = {a, b, c};
  uint sum = 0;
  for (int k = 0; k < 5; k++)
    sum = sum * 3 + (uint)table[(i + k) % 3][(i + 7 * k) % 128];
  out[i] = (int)sum;
}
