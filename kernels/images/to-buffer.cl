//pass
//--local_size=[8,8] --num_groups=[2,2]

// An integer image summed in blocks of two by two into a buffer.

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

__kernel void shrink(read_only image2d_t in, __global uint4 *out) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  uint4 sum = (uint4)(0);
  for (int k = 0; k < 4; k++)
    sum += read_imageui(in, nearest, (int2)(2 * x + k % 2, 2 * y + k / 2));
  out[y * get_global_size(0) + x] = sum / 4u;
}
