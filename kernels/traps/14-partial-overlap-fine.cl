//pass
//--local_size=64 --num_groups=2

// The pairs overlap and every byte is the same: tolerated by default.

__kernel void partial_overlap(__global uchar *p) {
  vstore2((uchar2)(1, 1), 0, p + get_global_id(0));
}
