//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1

// The assertion is false for most work-items and must not be used to prove the write unique.

__kernel void failed_assertion(__global int *out) {
  int l = get_local_id(0);
  __assert(l < 4);
  out[l & 3] = l;
}
