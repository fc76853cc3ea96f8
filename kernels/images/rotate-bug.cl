//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[2,2]
//write-write-race

// Rotated forward instead of backward: two source texels may fall on one target texel.

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

__kernel void rotate_image(read_only image2d_t in, write_only image2d_t out, float c, float s) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 q = convert_float2(p);
  int2 target = convert_int2((float2)(c * q.x - s * q.y, s * q.x + c * q.y));
  write_imagef(out, target, read_imagef(in, nearest, p));
}
