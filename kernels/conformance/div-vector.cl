//pass
//--local_size=32 --num_groups=2

// buffers: q:int:256 r:ushort:512 a:int:256:random b:ushort:512:random
//
// Element-wise division and remainder of vectors.

__kernel void div_vector(__global int4 *q, __global ushort8 *r, __global const int4 *a,
                         __global const ushort8 *b) {
  size_t i = get_global_id(0);
  q[i] = a[i] / (int4)(3, -5, 7, 1000) + a[i] % (int4)(3, -5, 7, 1000);
  r[i] = b[i] / (ushort8)(1, 2, 3, 4, 5, 6, 7, 8) - b[i] % (ushort8)(9);
}
