//pass
//--local_size=64 --num_groups=2

// The bytes of a word array are written by the work-item that owns the word.

__kernel void swap_bytes(__global uint *word) {
  __global uchar *byte = (__global uchar *)(word + get_global_id(0));
  uchar t = byte[0];
  byte[0] = byte[3];
  byte[3] = t;
}
