//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[2,2]
//write-write-race

// The image is half as wide as the grid: two work-items write each texel.

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

__kernel void copy(read_only image2d_t in, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, (int2)(p.x / 2, p.y), read_imagef(in, nearest, p));
}
