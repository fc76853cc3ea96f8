//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//race

// A plain test comes before the atomic: it reads words that others change.

__kernel void mark(__global uint *bitmap, __global const uint *value) {
  uint v = value[get_global_id(0)] % 1024;
  if ((bitmap[v / 32] >> (v % 32) & 1) == 0)
    atomic_or(&bitmap[v / 32], 1u << (v % 32));
}
