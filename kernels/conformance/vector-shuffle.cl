//pass
//--local_size=32 --num_groups=2

// buffers: out:int:256 wide:ushort:512 a:int:256:random m:uint:256:random b:ushort:512:random
//
// shuffle() and shuffle2() use only the low bits of each mask element.

__kernel void vector_shuffle(__global int4 *out, __global ushort8 *wide, __global const int4 *a,
                             __global const uint4 *m, __global const ushort8 *b) {
  size_t i = get_global_id(0);
  out[i] = shuffle(a[i], m[i]) ^ shuffle2(a[i], a[i].wzyx ^ 1, m[i]);
  wide[i] = shuffle(b[i], (ushort8)(7, 5, 3, 1, 0, 2, 4, 6));
}
