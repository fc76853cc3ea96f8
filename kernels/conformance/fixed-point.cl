//pass
//--local_size=[8,8] --num_groups=[2,2]

// buffers: out:uchar:256
//
// Mandelbrot's set in 16.16 fixed point: products in long, escape at different times.

__kernel void fixed_point(__global uchar *out) {
  int px = get_global_id(0);
  int py = get_global_id(1);
  int cx = (px - 10) * 12288;
  int cy = (py - 8) * 12288;
  int x = 0;
  int y = 0;
  uchar n = 0;
  for (; n < 60; n++) {
    long xx = (long)x * x >> 16;
    long yy = (long)y * y >> 16;
    if (xx + yy > 4 << 16)
      break;
    y = (int)((long)x * y >> 15) + cy;
    x = (int)(xx - yy) + cx;
  }
  out[py * 16 + px] = n;
}
