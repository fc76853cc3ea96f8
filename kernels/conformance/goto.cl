//pass
//--local_size=64 --num_groups=2

// buffers: out:int:128 a:int:128:random
//
// A loop and two exits made of goto.

__kernel void jump(__global int *out, __global const int *a) {
  size_t i = get_global_id(0);
  uint x = (uint)a[i];
  int steps = 0;
again:
  if (steps >= 20)
    goto too_long;
  if (x % 7 == 3)
    goto found;
  x = x * 1103515245u + 12345u;
  steps++;
  goto again;
too_long:
  steps = -1;
found:
  out[i] = steps * 16 + (int)(x & 15);
}
