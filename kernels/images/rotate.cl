//pass
//--local_size=[8,8] --num_groups=[2,2]

// The source is sampled between its texels; the target has one texel for each work-item.

__kernel void rotate_image(read_only image2d_t in, write_only image2d_t out, sampler_t smooth,
                           float c, float s) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 centre = (float2)(get_image_width(in), get_image_height(in)) * 0.5f;
  float2 q = convert_float2(p) - centre;
  float2 source = (float2)(c * q.x - s * q.y, s * q.x + c * q.y) + centre;
  write_imagef(out, p, read_imagef(in, smooth, source));
}
