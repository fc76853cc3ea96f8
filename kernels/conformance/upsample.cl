//pass
//--local_size=32 --num_groups=2

// buffers: s:short:64 i32:int:64 l:long:64 u:ushort:256 hi:int:64:random lo:uint:64:random
//
// upsample() joins a high and a low half.

__kernel void upsample_all(__global short *s, __global int *i32, __global long *l,
                           __global ushort4 *u, __global const int *hi,
                           __global const uint *lo) {
  size_t i = get_global_id(0);
  s[i] = upsample((char)hi[i], (uchar)lo[i]);
  i32[i] = upsample((short)hi[i], (ushort)lo[i]);
  l[i] = upsample(hi[i], lo[i]);
  u[i] = upsample((uchar4)(1, 2, 3, hi[i] & 255), (uchar4)(lo[i] & 255, 5, 6, 7));
}
