//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[4,4]
//barrier-divergence

// A barrier in the loop that work-items leave at different times.

__kernel void mandelbrot(__global uchar *out, float scale, int width) {
  __requires(width == 32);
  int px = get_global_id(0);
  int py = get_global_id(1);
  float cx = (px - 20) * scale;
  float cy = (py - 16) * scale;
  float x = 0.0f;
  float y = 0.0f;
  int n = 0;
  while (n < 255 && x * x + y * y < 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    n++;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[py * width + px] = n;
}
