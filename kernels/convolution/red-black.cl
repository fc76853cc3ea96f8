//pass
//--local_size=[8,8] --num_groups=[2,2]

// Half a step of relaxation in place: only black cells are written, only red ones read.

__kernel void relax_black(__global float *u, int width) {
  __requires(width == 18);
  int x = get_global_id(0) + 1;
  int y = get_global_id(1) + 1;
  if ((x + y) % 2 == 0) {
    int i = y * width + x;
    u[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - width] + u[i + width]);
  }
}
