//xfail:NOT_ALL_VERIFIED
//--local_size=[16,16] --num_groups=[2,2]
//(read-write|write-write)-race

// The rows of the matrix are shorter than the grid is wide, so they overlap.

__kernel void scale(__global float *m, int width, float factor) {
  __requires(width == 24);
  int x = get_global_id(0);
  int y = get_global_id(1);
  m[y * width + x] *= factor;
}
