//pass
//--local_size=32 --num_groups=2

// buffers: out:int:256 packed:int:192 a:int:192:random
//
// A three-element vector takes the room of four in memory, and of three with vload3 and vstore3.

__kernel void vector_3(__global int3 *out, __global int *packed, __global const int *a) {
  size_t i = get_global_id(0);
  int3 x = vload3(i, a);
  int3 y = x.zxy ^ (int3)(1, 2, 3);
  out[i] = y;
  ((__global int *)out)[4 * i + 3] = 7; // otherwise the fourth element is anything
  vstore3((x >> 1) - (y >> 1), i, packed);
}
