//pass
//--local_size=64 --num_groups=2

// buffers: near:half:128 zero:half:128 up:half:128 down:half:128 a:float:128:random
//
// vstore_half rounds, to nearest even or as told; large values become infinite.

__kernel void half_store(__global half *near, __global half *zero, __global half *up,
                         __global half *down, __global const float *a) {
  size_t i = get_global_id(0);
  float x = a[i];
  vstore_half(x, i, near);
  vstore_half_rtz(x, i, zero);
  vstore_half_rtp(x, i, up);
  vstore_half_rtn(x, i, down);
}
