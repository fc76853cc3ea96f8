//pass
//--local_size=32 --num_groups=2

// buffers: out:int:256 u:uint:256 v:short:512 a:int:64:random b:int:64:random
//
// min(), max() and clamp() of integers, with scalar and vector bounds.

__kernel void min_max_clamp(__global int4 *out, __global uint4 *u, __global short8 *v,
                            __global const int *a, __global const int *b) {
  size_t i = get_global_id(0);
  int x = a[i];
  int y = b[i];
  out[i] = (int4)(min(x, y), max(x, y), clamp(x, -1000000, 1000000), min(x, max(y, 0)));
  u[i] = clamp((uint4)((uint)x, (uint)y, 7u, ~0u), 1000u, 0x80000000u);
  v[i] = max(min((short8)((short)x), (short8)(-1, 0, 1, 100, -100, 20000, -20000, 32767)),
             (short8)((short)y));
}
