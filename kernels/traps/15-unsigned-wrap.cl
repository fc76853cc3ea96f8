//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[1,1]
//write-write-race

// Rows are 2^32 words apart, which is no distance at all in 32 bits.

__kernel void unsigned_wrap(__global uint *out, uint width) {
  __requires(width == 0x20000000u);
  uint x = get_global_id(0);
  uint y = get_global_id(1);
  out[8 * y * width + x] = y;
}
