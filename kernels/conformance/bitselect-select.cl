//pass
//--local_size=32 --num_groups=2

// buffers: out:uint:256 v:int:256 w:uint:256 a:uint:64:random b:uint:64:random c:uint:64:random
//
// bitselect() works bit by bit; select() looks at the sign bit in vectors, at zero in scalars.

__kernel void bitselect_select(__global uint4 *out, __global int4 *v, __global uint4 *w,
                               __global const uint *a, __global const uint *b,
                               __global const uint *c) {
  size_t i = get_global_id(0);
  uint x = a[i];
  uint y = b[i];
  uint m = c[i];
  out[i] = (uint4)(bitselect(x, y, m), select(x, y, m & 1), select(x, y, m & 6), ~m);
  v[i] = select((int4)((int)x), (int4)((int)y), (int4)((int)m, 1, -1, (int)~m));
  w[i] = bitselect((uint4)(x, y, m, 0), (uint4)(m, x, y, ~0u), (uint4)(y, m, x, m));
}
