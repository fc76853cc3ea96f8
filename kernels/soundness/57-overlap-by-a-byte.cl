//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
//write-write-race

// Each pair of bytes ends where the next begins, and the byte that both write is 2 in one
// and 1 in the other.

__kernel void overlap(__global uchar *p) {
  vstore2((uchar2)(1, 2), 0, p + get_global_id(0));
}
