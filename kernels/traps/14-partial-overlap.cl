//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// All write the same pair, but the pairs overlap by one byte, on which they differ.

__kernel void partial_overlap(__global uchar *p) {
  vstore2((uchar2)(0, 1), 0, p + get_global_id(0));
}
