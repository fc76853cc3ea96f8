//pass
//--local_size=64 --num_groups=2

// buffers: out:uint:384 a:float:128:random
//
// A union shows the bytes of a float.

typedef union {
  float f;
  uint u;
  ushort h[2];
  uchar b[4];
} Word;

__kernel void union_bytes(__global uint *out, __global const float *a) {
  size_t i = get_global_id(0);
  Word w;
  w.f = a[i];
  out[3 * i + 0] = w.u;
  out[3 * i + 1] = w.h[1] * 3u + w.b[0];
  uchar t = w.b[0];
  w.b[0] = w.b[3];
  w.b[3] = t;
  out[3 * i + 2] = w.u;
}
