//pass
//--local_size=[16,16] --num_groups=[2,2]

// One element of a row-major matrix for each work-item.

__kernel void scale(__global float *m, int width, float factor) {
  __requires(width == 32);
  int x = get_global_id(0);
  int y = get_global_id(1);
  m[y * width + x] *= factor;
}
