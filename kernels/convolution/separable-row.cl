//pass
//--local_size=[16,4] --num_groups=[2,4]

// The row pass of a separable filter with its weights in constant memory.

__constant float weight[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

__kernel void blur_row(__global float *out, __global const float *in, int width) {
  __requires(width == 32);
  int x = get_global_id(0);
  int y = get_global_id(1);
  float sum = 0.0f;
  for (int k = -2; k <= 2; k++)
    sum += weight[k + 2] * in[y * width + clamp(x + k, 0, width - 1)];
  out[y * width + x] = sum;
}
