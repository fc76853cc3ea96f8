//xfail:NOT_ALL_VERIFIED
//--local_size=[16,4] --num_groups=[2,4]
//read-write-race

// The filter works in place: neighbours may be read before or after they are written.

__constant float weight[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

__kernel void blur_row(__global float *image, int width) {
  __requires(width == 32);
  int x = get_global_id(0);
  int y = get_global_id(1);
  float sum = 0.0f;
  for (int k = -2; k <= 2; k++)
    sum += weight[k + 2] * image[y * width + clamp(x + k, 0, width - 1)];
  image[y * width + x] = sum;
}
