//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
//write-write-race

// An index of 8 bits is not: work-items 256 apart meet.

__kernel void narrow(__global int *out) {
  uchar i = get_global_id(0);
  out[i] = get_group_id(0);
}
