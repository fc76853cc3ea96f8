//pass
//--local_size=32 --num_groups=2

// buffers: c:char:64 s:short:64 w:int:64 u:uint:64 a:int:64:random b:int:64:random d:int:64:random
//
// mad_sat() multiplies and adds without wrapping.

__kernel void mad_sat_all(__global char *c, __global short *s, __global int *w,
                          __global uint *u, __global const int *a, __global const int *b,
                          __global const int *d) {
  size_t i = get_global_id(0);
  int x = a[i];
  int y = b[i];
  int z = d[i];
  c[i] = mad_sat((char)x, (char)(y & 3), (char)z);
  s[i] = mad_sat((short)x, (short)(y & 15), (short)z);
  w[i] = mad_sat(x, y >> 29, z);
  u[i] = mad_sat((uint)x, (uint)y >> 30, (uint)z);
}
