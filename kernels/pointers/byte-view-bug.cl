//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// The cast comes before the addition: work-items are one byte apart, not one word.

__kernel void swap_bytes(__global uint *word) {
  __global uchar *byte = (__global uchar *)word + get_global_id(0);
  uchar t = byte[0];
  byte[0] = byte[3];
  byte[3] = t;
}
