//pass
//--local_size=32 --num_groups=2

// buffers: out:uint:512 a:ulong:64:random
//
// clz() and popcount() of every width, zero included.

__kernel void clz_popcount(__global uint *out, __global const ulong *a) {
  size_t i = get_global_id(0);
  ulong x = a[i] >> (i & 63);
  if (i == 63)
    x = 0;
  out[8 * i + 0] = clz((uchar)x);
  out[8 * i + 1] = clz((ushort)x);
  out[8 * i + 2] = clz((uint)x);
  out[8 * i + 3] = clz(x);
  out[8 * i + 4] = popcount((uchar)x);
  out[8 * i + 5] = popcount((ushort)x);
  out[8 * i + 6] = popcount((uint)x);
  out[8 * i + 7] = popcount(x);
}
